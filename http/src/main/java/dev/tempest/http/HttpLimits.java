package dev.tempest.http;

import dev.tempest.FrontEndConfig;
import java.time.Duration;

/**
 * What requests over HTTP may take.
 *
 * @param bodyMaxBytes of a request; a larger one is refused (413)
 * @param requestsMax how many are answered at the same time; further ones are refused (503)
 * @param deadline of a call on a service; one without an answer by then ends as unknown (504), and
 *     whoever sends a body takes no longer (408)
 */
public record HttpLimits(int bodyMaxBytes, int requestsMax, Duration deadline) {
  /** 1 MiB, 256 requests, 10 seconds. */
  public static final HttpLimits DEFAULT = new HttpLimits(1 << 20, 256, Duration.ofSeconds(10));

  /** What one call on a service takes at most, in bytes. */
  private static final int BODY_MAX_BYTES = 16 << 20;

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
}
