package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All servers are killed at once, after what was acknowledged has come into their checkpoints, and
 * come back: from then on only that has to be there. What was acknowledged later may be lost.
 *
 * @param folder where the servers run, with a folder for {@link ServerProgram#CHECKPOINTS}
 * @param numbers of those servers that have what was acknowledged
 */
record Blackout(Path folder, List<Integer> numbers) implements ServerCluster.Ordeal {
  /** Of servers that are all in reach of each other. */
  static Blackout of(Path folder) {
    return new Blackout(folder, IntStream.range(0, ServerCluster.SERVERS).boxed().toList());
  }

  /** While one of them is cut off: it lacks what the others acknowledge. */
  static Blackout besides(Path folder, int cutOff) {
    return new Blackout(
        folder,
        IntStream.range(0, ServerCluster.SERVERS).filter(each -> each != cutOff).boxed().toList());
  }

  @Override
  public void befall(ServerCluster cluster) throws Exception {
    strike(cluster);
    cluster.startAll();
  }

  /** Only the first half of it: they stay killed. */
  void strike(ServerCluster cluster) throws Exception {
    String vouched = cluster.askClient("vouch");
    cluster.vouchForLedgers();
    awaitTwoMoreCheckpoints();
    cluster.askClient("burst"); // Some of it is under way, and some has not even been sent.
    cluster.killAll();
    System.out.println(
        "cluster tests: all killed; " + vouched + ", " + cluster.askClient("forgive"));
  }

  /** Whoever writes the second one has begun it after this was called. */
  private void awaitTwoMoreCheckpoints() throws IOException {
    for (int number : numbers) {
      String address = ServerCluster.ADDRESSES.get(number);
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
