package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.order.time.Epochs;
import dev.tempest.protocol.order.time.ReplicaSettings;

/**
 * How a world is, apart from what goes wrong in it.
 *
 * @param replicas how many there are
 * @param frontEnds how many there are
 * @param acks how many replicas have to execute an update before it completes
 * @param retryAfterMillis how long front-ends wait for an answer
 * @param gossipIntervalMillis as in the settings of replicas
 * @param epochMillis as in the settings of replicas
 * @param closeAfterEpochs as in the settings of replicas
 * @param reunionMillis as in the settings of replicas
 * @param limits as in the settings of replicas
 * @param clockOffsetMaxMillis how far clocks are off at most, in either direction
 * @param frontEndsFarAhead whether clocks of front-ends are ahead by up to a day
 * @param clockDriftMaxPpm how much too fast or too slow clocks go at most
 * @param stepNanos what a step takes
 * @param invariantsEverySteps how often a process checks its invariants
 * @param adopts as in the settings of replicas
 * @param network what happens to datagrams
 */
record Parameters(
    int replicas,
    int frontEnds,
    int acks,
    int retryAfterMillis,
    int gossipIntervalMillis,
    int epochMillis,
    int closeAfterEpochs,
    int reunionMillis,
    ReplicaSettings.Limits limits,
    int clockOffsetMaxMillis,
    boolean frontEndsFarAhead,
    int clockDriftMaxPpm,
    long stepNanos,
    int invariantsEverySteps,
    boolean adopts,
    Network.Conditions network) {
  /** Longer than anything goes wrong. */
  static final int LONG_REUNION_MILLIS = 20_000;

  /** More than any run takes. */
  static final long MUCH_MEMORY_BYTES = 1L << 30;

  /** What they remember. */
  ReplicaSettings.Memory memory() {
    return limits.memory();
  }

  /** How long epochs are, for replicas and front-ends alike. */
  Epochs epochs() {
    return new Epochs(epochMillis, closeAfterEpochs);
  }

  /** Whether replicas may have to refuse what clients ask. */
  boolean hasLittleMemory() {
    return limits.unsettledMaxBytes() < MUCH_MEMORY_BYTES;
  }

  /** Whether they may drop answers before clients have them. */
  boolean keepsFewAnswers() {
    return memory().answers() < ReplicaSettings.Memory.USUAL.answers();
  }

  /** So many updates a front-end has under way: replicas know each of them. */
  int updatesMax() {
    return Math.max(1, memory().intervals() / 2);
  }

  /** Whether updates wait until earlier ones of their front-ends have ended. */
  boolean takeTurns() {
    return updatesMax() < Requests.UPDATES_MAX;
  }

  /** Whether clients may see more than they can be told. */
  boolean tellsFew() {
    return limits.waits().seen() < ReplicaSettings.Waits.USUAL.seen();
  }

  /** Whether replicas wait for each other long enough to settle nothing alone. */
  boolean staysExact() {
    return reunionMillis >= LONG_REUNION_MILLIS && !hasLittleMemory();
  }

  private boolean remembersClients() {
    return memory().atLeastMillis() == ReplicaSettings.Memory.USUAL.atLeastMillis();
  }

  /** Whether they forget nothing at all. */
  boolean remembersAll() {
    return remembersEnough() && memory().epochs() == ReplicaSettings.Memory.USUAL.epochs();
  }

  /** Whether replicas remember all that was written while some of them were parted. */
  boolean remembersEnough() {
    return !hasLittleMemory() && remembersClients();
  }

  /** After so long without a replica the others settle without it, at the latest. */
  int settlesApartAfterMillis() {
    return reunionMillis + epochMillis * closeAfterEpochs;
  }

  /**
   * After so long without a replica the others have settled without it, and have forgotten all that
   * was silent meanwhile; 0 if no world lasts as long.
   */
  int forgetsAfterMillis() {
    return remembersClients() || reunionMillis >= LONG_REUNION_MILLIS
        ? 0
        : settlesApartAfterMillis() + 2 * memory().atMostMillis() + 1_000;
  }

  /** A perfect world, in which every datagram takes half a millisecond. */
  static Parameters perfect(int replicas, int frontEnds) {
    return new Parameters(
        replicas,
        frontEnds,
        1,
        50,
        100,
        100,
        20,
        LONG_REUNION_MILLIS,
        ReplicaSettings.Limits.ofUnsettled(MUCH_MEMORY_BYTES),
        0,
        false,
        0,
        1_000,
        1,
        false,
        new Network.Conditions(0, 0, 0, 500_000, 0, 0, 0));
  }
}
