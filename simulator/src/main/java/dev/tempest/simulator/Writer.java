package dev.tempest.simulator;

/** An application in a process that writes by itself: writes, does something else, writes again. */
final class Writer {
  private static final int WAITS_PERCENT = 40;
  private static final long PATIENCE_MAX_MILLIS = 3_000;

  private final Cluster cluster;
  private final ReplicaProcess process;
  private final Randomness random;
  private final long untilNanos;
  private final long thinkNanos;
  private int left;

  private Writer(
      Cluster cluster, ReplicaProcess process, Randomness random, int writes, long untilMillis) {
    this.cluster = cluster;
    this.process = process;
    this.random = random;
    this.left = writes;
    this.untilNanos = untilMillis * 1_000_000;
    this.thinkNanos = untilNanos / (writes + 1);
  }

  /** Lets it write so many times, spread over the time until then, but none after it. */
  static void start(
      Cluster cluster, ReplicaProcess process, Randomness random, int writes, long untilMillis) {
    new Writer(cluster, process, random, writes, untilMillis).think();
  }

  private void think() {
    cluster.at(cluster.nowNanos() + random.around(thinkNanos), this::write);
  }

  private void write() {
    if (left > 0 && cluster.nowNanos() <= untilNanos) {
      left--;
      boolean waits = random.chance(WAITS_PERCENT);
      process.write(
          waits ? random.between(2, cluster.replicas().size()) : 1,
          random.between(20L, PATIENCE_MAX_MILLIS));
      think();
    }
  }
}
