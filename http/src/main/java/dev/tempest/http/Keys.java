package dev.tempest.http;

import dev.tempest.FrontEnd;
import dev.tempest.MissingAcksException;
import dev.tempest.Node;
import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.state.TimedMap;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;

/**
 * What idempotency keys were used for, in a collection that all servers share. It is not what keeps
 * a request from running twice: that is the request's id, which {@link FrontEnd#once} makes of key
 * and call. It refuses a key that was used for another request, also if that came of the same body,
 * and one whose request the servers may have forgotten.
 *
 * <p>Thread-safe.
 */
final class Keys {
  /** The collection; whoever configures it as linearizable is told of every other use of a key. */
  static final String COLLECTION = "http-keys";

  private static final int UNPROCESSABLE = 422;
  private static final int GONE = 410;
  private static final int HASH_BYTES = 16;

  private final Node node;
  private final TimedMap<String, KeyUse> uses;
  private final InstantSource clock;
  private final int keysMax;

  Keys(Node node) {
    this(node, InstantSource.system(), HttpLimits.keysMax(Runtime.getRuntime().maxMemory()));
  }

  Keys(Node node, InstantSource clock, int keysMax) {
    this.node = node;
    this.uses = node.map(COLLECTION, String.class, KeyUse.class);
    this.clock = clock;
    this.keysMax = keysMax;
  }

  /**
   * Takes a key for a request.
   *
   * @param request the name of the request
   * @param body from what it was made, all of it
   * @throws Problem if the key was used for another one, or too long ago, or there is no room
   */
  void use(String key, String request, byte[]... body) {
    String name = hash(key.getBytes(StandardCharsets.UTF_8));
    KeyUse use = new KeyUse(request, hash(body), clock.instant());
    KeyUse known;
    try {
      requireRoom(name);
      known = node.batch(() -> known(name, use));
    } catch (OverloadedException
        | UnknownOutcomeException
        | MissingAcksException
        | IllegalStateException later) {
      throw Problem.unavailable("the key could not be noted down: " + later.getMessage());
    }
    check(known, use);
  }

  private void requireRoom(String name) {
    if (uses.size() >= keysMax && !uses.containsKey(name)) {
      throw Problem.unavailable(
          "servers know %d keys already, those of the last %d minutes: repeat later"
              .formatted(keysMax, HttpLimits.KEY_KNOWN_FOR.toMinutes()));
    }
  }

  /** What is known of a key: what others have used it for, else this. */
  private KeyUse known(String name, KeyUse use) {
    KeyUse known = uses.get(name);
    if (known == null) {
      uses.put(name, use, HttpLimits.KEY_KNOWN_FOR);
    }
    return known == null ? use : known;
  }

  private static void check(KeyUse known, KeyUse use) {
    if (!known.request().equals(use.request())) {
      if (known.body().equals(use.body())) {
        throw new Problem(
            UNPROCESSABLE,
            "body-of-another-request",
            "The same body has become another request",
            "header %s: not executed again. A record fills in what the body lacks, or the service was deployed anew; find out what the first request came to, and choose a new key"
                .formatted(Headers.KEY));
      }
      throw new Problem(
          UNPROCESSABLE,
          "key-of-another-request",
          "The key was used for another request",
          "header " + Headers.KEY + ": send the very same request with it, or choose a new key");
    }
    if (known.since().plus(FrontEnd.ONCE_FOR).isBefore(use.since())) {
      throw new Problem(
          GONE,
          "key-too-old",
          "The key was used too long ago",
          "header %s: it was used at %s, and servers keep answers for %d minutes; find out what the request came to, and choose a new key"
              .formatted(Headers.KEY, known.since(), FrontEnd.ONCE_FOR.toMinutes()));
    }
  }

  /**
   * Nobody finds two inputs of the same hash; each part with its length, so that none runs over.
   */
  private static String hash(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update((part.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(part);
      }
      byte[] hash = Arrays.copyOf(digest.digest(), HASH_BYTES);
      return Base64.getEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }
}
