package dev.tempest.bench;

import dev.tempest.FrontEndConfig;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/** Where the servers of a benchmark are. */
record TempestAddress(List<String> servers, int multicastPort) implements Serializable {
  static final String CLUSTER = "bench";

  /** As long as the floors wait, so that both lose the same time by a lost datagram. */
  private static final Duration RETRY_AFTER = Duration.ofMillis(100);

  /** A front-end of all the servers. */
  FrontEndConfig.Builder frontEnd() {
    return usual()
        .retryAfter(RETRY_AFTER)
        .deadline(Duration.ofSeconds(10))
        .executor(Runnable::run); // Who makes load has no time for another thread.
  }

  /** The same, with nothing else chosen. */
  FrontEndConfig.Builder usual() {
    return FrontEndConfig.builder(servers).cluster(CLUSTER).multicastPort(multicastPort);
  }

  /** One of the servers alone. */
  TempestAddress only(String server) {
    return new TempestAddress(List.of(server), multicastPort);
  }
}
