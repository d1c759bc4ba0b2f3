package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * All servers are killed at once, after what was acknowledged has come into their checkpoints, and
 * come back: from then on only that has to be there. What was acknowledged later may be lost.
 *
 * @param folder where the servers run, with a folder for {@link ServerProgram#CHECKPOINTS}
 */
record Blackout(Path folder) implements ServerCluster.Ordeal {
  @Override
  public void befall(ServerCluster cluster) throws Exception {
    String vouched = cluster.askClient("vouch");
    awaitTwoMoreCheckpoints();
    cluster.killAll();
    System.out.println(
        "cluster tests: all killed; " + vouched + ", " + cluster.askClient("forgive"));
    cluster.startAll();
  }

  /** Whoever writes the second one has begun it after this was called. */
  private void awaitTwoMoreCheckpoints() throws IOException {
    for (String address : ServerCluster.ADDRESSES) {
      Path own = folder.resolve(ServerProgram.checkpoints(address));
      long before = latest(own);
      eventually(
          "two more checkpoints in " + own,
          () -> latest(own) >= before + 2,
          () -> "" + latest(own));
    }
  }

  private static long latest(Path own) throws IOException {
    if (!Files.exists(own)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(own)) {
      return files
          .map(file -> file.getFileName().toString().split("\\.", -1))
          .filter(parts -> parts[0].equals(ServerProgram.SERVICE) && parts[2].equals("checkpoint"))
          .mapToLong(parts -> Long.parseLong(parts[1]))
          .max()
          .orElse(0);
    }
  }
}
