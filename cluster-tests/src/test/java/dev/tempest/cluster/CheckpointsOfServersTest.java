package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers with checkpoints, which all die at once, and whose disks cannot be written. */
final class CheckpointsOfServersTest {
  private static final int SOME = 200;

  @TempDir Path folder;

  @BeforeEach
  void thereIsAFolderForCheckpoints() throws IOException {
    Files.createDirectory(folder.resolve(ServerProgram.CHECKPOINTS));
  }

  @Test
  void allThatAreKilledAtOnceComeBackWithWhatTheirCheckpointsHold() throws Exception {
    Blackout blackout = Blackout.of(folder);
    ServerCluster.writeThrough(
        ServerCluster.Terms.USUAL,
        folder,
        cluster -> {
          for (int round = 0; round < 2; round++) {
            cluster.awaitAcknowledged(SOME);
            blackout.befall(cluster);
          }
          cluster.awaitAcknowledged(SOME);
        });
  }

  @Test
  void aDiskThatIsFullAndOneThatIsReadOnlyStopNobody() throws Exception {
    List<Path> mounted = new ArrayList<>();
    try {
      mounted.add(mount(ServerCluster.ADDRESSES.getFirst(), "size=16k"));
      mounted.add(mount(ServerCluster.ADDRESSES.getLast(), "ro"));
      ServerCluster.writeThrough(
          ServerCluster.Terms.USUAL,
          folder,
          cluster -> {
            String file = "The checkpoint of " + ServerProgram.SERVICE + " could not be written";
            awaitOutput(cluster.server(0), file, "No space left on device");
            awaitOutput(
                cluster.server(2), "There will be no checkpoints in", "Read-only file system");
            cluster.awaitAcknowledged(SOME);
          });
    } finally {
      for (Path each : mounted) {
        run("umount", each.toString());
      }
    }
  }

  private static void awaitOutput(HostProcess server, String... texts) {
    eventually(
        List.of(texts) + " at " + server,
        () -> server.output().lines().anyMatch(line -> Stream.of(texts).allMatch(line::contains)),
        server::output);
  }

  private Path mount(String address, String options) throws Exception {
    Path own = Files.createDirectory(folder.resolve(ServerProgram.checkpoints(address)));
    run("mount", "-t", "tmpfs", "-o", options, "none", own.toString());
    return own;
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
        .as(String.join(" ", command))
        .isZero();
  }
}
