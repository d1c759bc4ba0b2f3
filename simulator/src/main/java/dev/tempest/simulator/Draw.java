package dev.tempest.simulator;

import dev.tempest.protocol.order.time.ReplicaSettings.Limits;
import dev.tempest.protocol.order.time.ReplicaSettings.Memory;
import dev.tempest.protocol.order.time.ReplicaSettings.Waits;

/** How a world is, drawn at random. */
final class Draw {
  private static final int OFFSET_USUAL_MAX_MILLIS = 30;
  private static final int OFFSET_MAX_MILLIS = 500;
  private static final int STAMP_AHEAD_USUAL_MAX_MILLIS = 5_000;
  private static final int FAR_AHEAD_PERCENT = 30;
  private static final int DRIFT_USUAL_MAX_PPM = 50;
  private static final int DRIFT_MAX_PPM = 2_000;

  private static final int SHORT_MEMORY_PERCENT = 50;
  private static final int SHORT_HISTORY_PERCENT = 30;
  private static final int FEW_ANSWERS_PERCENT = 90;
  private static final int FEW_REPLICAS_PERCENT = 65;
  private static final int FEW_INTERVALS_PERCENT = 80;

  /** So few that a front-end has no more than one update under way. */
  private static final int FEW_INTERVALS = 1;

  private static final int REPAIR_PERCENT = 45;
  private static final int BYTES_PERCENT = 30;
  private static final int FEW_WAIT_PERCENT = 50;

  private static final int SHORT_REUNION_PERCENT = 65;

  /** Collections part more often, and so soon settle apart in fewer worlds. */
  private static final int SHORT_REUNION_COLLECTIONS_PERCENT = 47;

  private static final int FIND_EACH_OTHER_PERCENT = 20;

  /** The same where they soon settle apart, since few of those would part otherwise. */
  private static final int FIND_EACH_OTHER_APART_PERCENT = 85;

  /** So many writes take more than may be unconfirmed where bytes are what counts. */
  private static final int AHEAD_MAX_OF_BYTES = 40;

  private final Randomness random;
  private final long seed;
  private final Scenario scenario;

  private Draw(Randomness random, long seed, Scenario scenario) {
    this.random = random;
    this.seed = seed;
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
    boolean shortWindow = random.chance(badClocks || keepsFewAnswers(seed) ? 60 : 30);
    return new Parameters(
        replicas,
        frontEnds,
        random.chance(30) ? 2 : 1,
        random.between(15, 120),
        random.between(40, 200),
        shortWindow ? random.between(20, 40) : random.between(20, 250),
        shortWindow ? random.between(2, 5) : random.between(3, 25),
        reunionMillis,
        draw.limits(badClocks, unsettledMaxBytes, replicas),
        badClocks ? OFFSET_MAX_MILLIS : OFFSET_USUAL_MAX_MILLIS,
        badClocks && random.chance(FAR_AHEAD_PERCENT),
        badClocks ? DRIFT_MAX_PPM : DRIFT_USUAL_MAX_PPM,
        random.between(1_000L, 50_000L),
        1,
        adopts,
        network);
  }

  /** Whether replicas keep one answer to each client, the latest. */
  static boolean keepsFewAnswers(long seed) {
    return Evenly.FEW_ANSWERS.chance(FEW_ANSWERS_PERCENT, seed);
  }

  /** Whether those that part soon settle without each other. */
  static boolean settlesApart(long seed, boolean collections) {
    return Evenly.REUNION.chance(
        collections ? SHORT_REUNION_COLLECTIONS_PERCENT : SHORT_REUNION_PERCENT, seed);
  }

  /** Whether processes find each other by themselves. */
  static boolean findEachOther(long seed, boolean settlesApart) {
    return Evenly.MEMBERSHIP.chance(
        settlesApart ? FIND_EACH_OTHER_APART_PERCENT : FIND_EACH_OTHER_PERCENT, seed);
  }

  private Limits limits(boolean badClocks, long unsettledMaxBytes, int replicas) {
    boolean countsBytes = Evenly.AHEAD_IN_BYTES.chance(BYTES_PERCENT, seed);
    boolean repairsFew = Evenly.REPAIR.chance(REPAIR_PERCENT, seed);
    return new Limits(
        badClocks ? random.between(250, 600) : STAMP_AHEAD_USUAL_MAX_MILLIS,
        unsettledMaxBytes,
        countsBytes ? AHEAD_MAX_OF_BYTES : random.between(1, 20),
        countsBytes ? random.between(1, 2_000) : Limits.USUAL.aheadMaxBytes(),
        repairsFew ? random.between(2, 3) : Limits.USUAL.repairMax(),
        repairsFew ? Limits.USUAL.repairMaxBytes() : random.between(50, 140),
        random.between(10, 60),
        waits(),
        memory(unsettledMaxBytes >= Parameters.MUCH_MEMORY_BYTES, replicas));
  }

  /** How much waits; drawn apart, so that all else is as where as much waits as usual. */
  private Waits waits() {
    Randomness own = new Randomness(Randomness.mix(~seed));
    return Evenly.WAITS.chance(FEW_WAIT_PERCENT, seed)
        ? new Waits(1, 1, own.between(1, 3), own.between(2, 6))
        : Waits.USUAL;
  }

  /** How much replicas remember. */
  private Memory memory(boolean muchMemory, int replicas) {
    Memory usual = Memory.USUAL;
    boolean isShort =
        (Evenly.SHORT_MEMORY.chance(SHORT_MEMORY_PERCENT, seed) || !muchMemory)
            && scenario != Scenario.CLOCKS;
    int atLeastMillis = random.between(2_000, 4_000);
    int atMostMillis = random.between(atLeastMillis, 6_000);
    int maxBytes = muchMemory ? 32 << 20 : random.between(100, 600);
    int epochs =
        Evenly.SHORT_HISTORY.chance(SHORT_HISTORY_PERCENT, seed)
            ? random.between(1, 20)
            : usual.epochs();
    boolean fewReplicas = Evenly.FEW_REPLICAS.chance(FEW_REPLICAS_PERCENT, seed);
    int absent = fewReplicas ? random.between(1, 2) : usual.absent();
    int ancestors = fewReplicas ? replicas : usual.ancestors();
    int answers = keepsFewAnswers(seed) ? 1 : usual.answers();
    int intervals =
        Evenly.FEW_INTERVALS.chance(FEW_INTERVALS_PERCENT, seed)
            ? FEW_INTERVALS
            : usual.intervals();
    return isShort
        ? new Memory(
            atLeastMillis, atMostMillis, maxBytes, epochs, absent, ancestors, answers, intervals)
        : new Memory(
            usual.atLeastMillis(),
            usual.atMostMillis(),
            usual.maxBytes(),
            epochs,
            usual.absent(),
            usual.ancestors(),
            answers,
            usual.intervals());
  }
}
