package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A network that takes datagrams more slowly than a process can make them. */
final class SlowNetworkTest {
  /** A turn's datagrams then take 2.6 ms. */
  private static final int HEAP_MEGABYTES = 64;

  private static final int MEGABITS = 100;

  @Test
  void whatDoesNotFitTheSendBufferWaitsForAMoment(@TempDir Path folder) throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    try (Network network = Network.of(2)) {
      network.slowDown(1, MEGABITS);
      HostProcess burst =
          HostProcess.start(
              network,
              1,
              HEAP_MEGABYTES,
              BurstProgram.class,
              "burst",
              folder,
              Network.PREFIX + 1,
              Network.PREFIX + "2:7400");
      burst.awaitReady();

      assertThat(burst.heard()).isEqualTo("0");
      burst.kill();
    }
  }
}
