package dev.tempest.runtime.frontend;

import dev.tempest.runtime.transport.PeerAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks up where servers are: at first, and again while one does not answer. That may block, so it
 * has a thread of its own then, one at a time. While all answer, nothing is looked up.
 *
 * <p>Not thread-safe: its owner calls it from one thread at a time.
 */
final class ServerNames {
  private static final long AGAIN_NANOS = 5_000_000_000L;

  private final List<String> servers;
  private final Function<String, List<PeerAddress>> addresses;
  private @Nullable Thread looking;
  private long againNanos = Long.MIN_VALUE;

  /** {@code addresses} refuses, as an illegal argument, what it does not know. */
  ServerNames(List<String> servers, Function<String, List<PeerAddress>> addresses) {
    this.servers = servers;
    this.addresses = addresses;
  }

  /**
   * Where each server is.
   *
   * @throws IllegalArgumentException if one is unknown
   */
  Map<String, List<PeerAddress>> lookUp() {
    Map<String, List<PeerAddress>> found = new LinkedHashMap<>();
    servers.forEach(server -> found.put(server, addresses.apply(server)));
    return found;
  }

  /**
   * Looks up again where servers are, unless it has just been done.
   *
   * @param then gets, in another thread, where those are that are known now
   */
  void lookUpAgain(long nowNanos, Consumer<Map<String, List<PeerAddress>>> then) {
    if (nowNanos < againNanos || (looking != null && looking.isAlive())) {
      return;
    }
    againNanos = nowNanos + AGAIN_NANOS;
    looking =
        Thread.ofPlatform()
            .daemon()
            .name("tempest-front-end-names")
            .start(() -> then.accept(lookUpKnown()));
  }

  private Map<String, List<PeerAddress>> lookUpKnown() {
    Map<String, List<PeerAddress>> found = new LinkedHashMap<>();
    servers.forEach(server -> lookUpIfKnown(server, found));
    return found;
  }

  private void lookUpIfKnown(String server, Map<String, List<PeerAddress>> found) {
    try {
      found.put(server, addresses.apply(server));
    } catch (IllegalArgumentException notNow) {
      return; // It may be known again in a moment.
    }
  }
}
