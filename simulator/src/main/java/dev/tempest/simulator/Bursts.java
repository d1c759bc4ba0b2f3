package dev.tempest.simulator;

/** Processes that now and then write much more at once than others may lack. */
final class Bursts {
  private static final long MILLI = 1_000_000;

  private static final int PERCENT = 30;
  private static final long SALT = 0xB0857;

  private static final int WRITES_MAX = 90;

  private Bursts() {}

  /** Plans some in some worlds; drawn apart from the rest, so that seeds keep their worlds. */
  static void plan(Cluster cluster, long seed, int untilMillis) {
    Randomness random = new Randomness(Randomness.mix(SALT - seed));
    if (random.chance(PERCENT)) {
      plan(cluster, random, untilMillis);
    }
  }

  private static void plan(Cluster cluster, Randomness random, int untilMillis) {
    int bursts = random.between(1, 4);
    for (int i = 0; i < bursts; i++) {
      ReplicaProcess process = random.pick(cluster.replicas());
      int writes = random.between(10, WRITES_MAX);
      cluster.at(
          random.between(0, untilMillis) * MILLI,
          () -> {
            cluster.trace(process.name, "writes " + writes + " times at once");
            for (int each = 0; each < writes; each++) {
              process.write(1, 0);
            }
          });
    }
  }
}
