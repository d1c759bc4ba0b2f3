package dev.tempest.http;

import dev.tempest.FrontEndConfig;
import java.time.Duration;

/**
 * What requests over HTTP may take: what can be changed, and beside it what cannot.
 *
 * @param bodyMaxBytes of a request; a larger one is refused (413)
 * @param requestsMax how many are executed at the same time; further ones are refused (503), and so
 *     they are once as many more wait for their callers to take the response
 * @param deadline of a call on a service; one without an answer by then ends as unknown (504), and
 *     whoever sends a body takes no longer (408), nor whoever takes a response
 */
public record HttpLimits(int bodyMaxBytes, int requestsMax, Duration deadline) {
  /** 1 MiB, 256 requests, 10 seconds. */
  public static final HttpLimits DEFAULT = new HttpLimits(1 << 20, 256, Duration.ofSeconds(10));

  /** What one call on a service takes at most, in bytes. */
  private static final int BODY_MAX_BYTES = 16 << 20;

  /** The longest handle that is given out or taken. */
  static final int HANDLE_MAX_CHARS = 32 << 10;

  /** All headers of a request: the longest handle, and what else there is. */
  static final int HEADERS_MAX_BYTES = 48 << 10;

  /** Who is silent for that long, while he sends or receives, is cut off. */
  static final Duration SILENCE = Duration.ofSeconds(10);

  /** A connection without a request is closed after this. */
  static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

  /** So long a server that is closed waits for requests under way. */
  static final Duration DRAIN = Duration.ofSeconds(10);

  /** Connections that wait for a request to be made take little. */
  private static final int CONNECTIONS_PER_REQUEST = 8;

  /**
   * Connections beyond those that are kept, each for one request: so a server that is full still
   * tells operators how it is.
   */
  private static final int CONNECTIONS_BEYOND = 64;

  /** For so long a key is known; later it is a new one. */
  static final Duration KEY_KNOWN_FOR = Duration.ofHours(1);

  /** As many new keys as one service takes, of 160 a second, in the time for which one is known. */
  private static final int KEYS_MAX = 600_000;

  /** What a key takes in the memory of each server, about. */
  private static final int KEY_BYTES = 400;

  /** All keys together take one part in so many of the heap. */
  private static final int KEYS_SHARE = 8;

  /** Refuses what cannot be. */
  public HttpLimits {
    if (bodyMaxBytes < 1 || bodyMaxBytes > BODY_MAX_BYTES) {
      throw new IllegalArgumentException(
          "a body takes 1 to " + BODY_MAX_BYTES + " bytes, not " + bodyMaxBytes);
    }
    if (requestsMax < 1) {
      throw new IllegalArgumentException("at least 1 request is answered, not " + requestsMax);
    }
    if (deadline.toMillis() < 1 || deadline.compareTo(FrontEndConfig.DEADLINE_MAX) > 0) {
      throw new IllegalArgumentException(
          "a deadline is from 1 ms to "
              + FrontEndConfig.DEADLINE_MAX.toMinutes()
              + " minutes, not "
              + deadline);
    }
  }

  /** So many connections are kept for further requests. */
  int connectionsKept() {
    return CONNECTIONS_PER_REQUEST * requestsMax;
  }

  /** So many connections there are at the same time; further ones wait to be accepted. */
  int connectionsMax() {
    return connectionsKept() + CONNECTIONS_BEYOND;
  }

  /** So many requests are executed, or wait for their callers to take the response. */
  int responsesMax() {
    return 2 * requestsMax;
  }

  /**
   * How many keys all servers know together.
   *
   * @param heapBytes of this server
   */
  static int keysMax(long heapBytes) {
    return (int) Math.min(KEYS_MAX, heapBytes / KEYS_SHARE / KEY_BYTES);
  }
}
