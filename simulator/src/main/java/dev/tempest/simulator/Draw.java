package dev.tempest.simulator;

import dev.tempest.protocol.order.time.ReplicaSettings;

/** How a world is, drawn at random. */
final class Draw {
  private static final int OFFSET_USUAL_MAX_MILLIS = 30;
  private static final int OFFSET_MAX_MILLIS = 500;
  private static final int STAMP_AHEAD_USUAL_MAX_MILLIS = 5_000;
  private static final int FAR_AHEAD_PERCENT = 30;
  private static final int DRIFT_USUAL_MAX_PPM = 50;
  private static final int DRIFT_MAX_PPM = 2_000;

  private static final int SHORT_MEMORY_PERCENT = 30;
  private static final int SHORT_HISTORY_PERCENT = 30;

  private Draw() {}

  /** How much replicas remember; drawn apart from the rest, so that seeds keep their worlds. */
  static ReplicaSettings.Memory memory(long seed, Scenario scenario, boolean muchMemory) {
    Randomness random = new Randomness(Randomness.mix(~seed));
    ReplicaSettings.Memory usual = ReplicaSettings.Memory.USUAL;
    boolean isShort =
        (random.chance(SHORT_MEMORY_PERCENT) || !muchMemory) && scenario != Scenario.CLOCKS;
    int atLeastMillis = random.between(2_000, 4_000);
    int atMostMillis = random.between(atLeastMillis, 6_000);
    int maxBytes = muchMemory ? 32 << 20 : random.between(100, 1_000);
    int epochs = random.chance(SHORT_HISTORY_PERCENT) ? random.between(1, 20) : usual.epochs();
    return isShort
        ? new ReplicaSettings.Memory(atLeastMillis, atMostMillis, maxBytes, epochs)
        : new ReplicaSettings.Memory(
            usual.atLeastMillis(), usual.atMostMillis(), usual.maxBytes(), epochs);
  }

  static Parameters parameters(
      Randomness random,
      Scenario scenario,
      int replicas,
      int frontEnds,
      int reunionMillis,
      boolean adopts,
      long unsettledMaxBytes,
      ReplicaSettings.Memory memory,
      Network.Conditions network) {
    boolean badClocks =
        switch (scenario) {
          case CLOCKS -> true;
          case RESTART_ISOLATED, BURN -> random.chance(50);
          default -> false;
        };
    // A short window and little patience make clocks count that are off by a little.
    boolean shortWindow = random.chance(badClocks ? 60 : 30);
    return new Parameters(
        replicas,
        frontEnds,
        random.chance(30) ? 2 : 1,
        random.between(15, 120),
        random.between(40, 200),
        shortWindow ? random.between(20, 40) : random.between(20, 250),
        shortWindow ? random.between(2, 5) : random.between(3, 25),
        badClocks ? random.between(250, 600) : STAMP_AHEAD_USUAL_MAX_MILLIS,
        reunionMillis,
        unsettledMaxBytes,
        random.between(1, 20),
        random.between(10, 400),
        memory,
        badClocks ? OFFSET_MAX_MILLIS : OFFSET_USUAL_MAX_MILLIS,
        badClocks && random.chance(FAR_AHEAD_PERCENT),
        badClocks ? DRIFT_MAX_PPM : DRIFT_USUAL_MAX_PPM,
        random.between(1_000L, 50_000L),
        1,
        adopts,
        network);
  }
}
