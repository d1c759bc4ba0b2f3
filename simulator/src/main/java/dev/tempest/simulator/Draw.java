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

  private Draw() {}

  static Parameters parameters(
      Randomness random,
      Scenario scenario,
      int replicas,
      int frontEnds,
      int reunionMillis,
      boolean adopts,
      long unsettledMaxBytes,
      ReplicaSettings.Memory clients,
      Network.Conditions network) {
    boolean badClocks =
        switch (scenario) {
          case CLOCKS -> true;
          case RESTART_ISOLATED, BURN -> random.chance(50);
          default -> false;
        };
    // A short window and little patience make clocks count that are off by a little.
    boolean shortWindow = random.chance(30);
    return new Parameters(
        replicas,
        frontEnds,
        random.chance(30) ? 2 : 1,
        random.between(15, 120),
        random.between(40, 200),
        shortWindow ? random.between(20, 40) : random.between(20, 250),
        shortWindow ? random.between(2, 5) : random.between(3, 25),
        badClocks ? random.between(100, 1_500) : STAMP_AHEAD_USUAL_MAX_MILLIS,
        reunionMillis,
        unsettledMaxBytes,
        random.between(1, 20),
        random.between(10, 400),
        clients,
        badClocks ? OFFSET_MAX_MILLIS : OFFSET_USUAL_MAX_MILLIS,
        badClocks && random.chance(FAR_AHEAD_PERCENT),
        badClocks ? DRIFT_MAX_PPM : DRIFT_USUAL_MAX_PPM,
        random.between(1_000L, 50_000L),
        1,
        adopts,
        network);
  }
}
