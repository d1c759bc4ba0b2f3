package dev.tempest.simulator;

import dev.tempest.protocol.order.time.ReplicaSettings.Limits;
import dev.tempest.protocol.order.time.ReplicaSettings.Memory;

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
  private static final int LITTLE_PERCENT = 30;

  /** So many writes take more than may be unconfirmed where bytes are what counts. */
  private static final int AHEAD_MAX_OF_BYTES = 100;

  private final Randomness random;

  /** What was drawn later than the rest is drawn apart, so that seeds keep their worlds. */
  private final Randomness apart;

  private final Scenario scenario;

  private Draw(Randomness random, long seed, Scenario scenario) {
    this.random = random;
    this.apart = new Randomness(Randomness.mix(~seed));
    this.scenario = scenario;
  }

  static Parameters parameters(
      Randomness random,
      long seed,
      Scenario scenario,
      int replicas,
      int frontEnds,
      int reunionMillis,
      boolean adopts,
      long unsettledMaxBytes,
      Network.Conditions network) {
    Draw draw = new Draw(random, seed, scenario);
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
        reunionMillis,
        draw.limits(badClocks, unsettledMaxBytes),
        badClocks ? OFFSET_MAX_MILLIS : OFFSET_USUAL_MAX_MILLIS,
        badClocks && random.chance(FAR_AHEAD_PERCENT),
        badClocks ? DRIFT_MAX_PPM : DRIFT_USUAL_MAX_PPM,
        random.between(1_000L, 50_000L),
        1,
        adopts,
        network);
  }

  private Limits limits(boolean badClocks, long unsettledMaxBytes) {
    int stampAheadMaxMillis = badClocks ? random.between(250, 600) : STAMP_AHEAD_USUAL_MAX_MILLIS;
    int aheadMax = random.between(1, 20);
    int pieceBytes = random.between(10, 400);
    Memory memory = memory(unsettledMaxBytes >= Parameters.MUCH_MEMORY_BYTES);
    boolean countsBytes = apart.chance(LITTLE_PERCENT);
    return new Limits(
        stampAheadMaxMillis,
        unsettledMaxBytes,
        countsBytes ? AHEAD_MAX_OF_BYTES : aheadMax,
        countsBytes ? apart.between(1, 2_000) : Limits.USUAL.aheadMaxBytes(),
        apart.chance(LITTLE_PERCENT) ? apart.between(2, 20) : Limits.USUAL.repairMax(),
        apart.chance(LITTLE_PERCENT) ? apart.between(1, 400) : Limits.USUAL.repairMaxBytes(),
        pieceBytes,
        memory);
  }

  /** How much replicas remember. */
  private Memory memory(boolean muchMemory) {
    Memory usual = Memory.USUAL;
    boolean isShort =
        (apart.chance(SHORT_MEMORY_PERCENT) || !muchMemory) && scenario != Scenario.CLOCKS;
    int atLeastMillis = apart.between(2_000, 4_000);
    int atMostMillis = apart.between(atLeastMillis, 6_000);
    int maxBytes = muchMemory ? 32 << 20 : apart.between(100, 1_000);
    int epochs = apart.chance(SHORT_HISTORY_PERCENT) ? apart.between(1, 20) : usual.epochs();
    int replicas = apart.chance(LITTLE_PERCENT) ? apart.between(1, 3) : usual.replicas();
    int answers = apart.chance(LITTLE_PERCENT) ? apart.between(1, 3) : usual.answers();
    return isShort
        ? new Memory(atLeastMillis, atMostMillis, maxBytes, epochs, replicas, answers)
        : new Memory(
            usual.atLeastMillis(),
            usual.atMostMillis(),
            usual.maxBytes(),
            epochs,
            usual.replicas(),
            answers);
  }
}
