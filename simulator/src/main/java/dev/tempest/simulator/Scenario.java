package dev.tempest.simulator;

/** What goes wrong in a world, beside what its network always does. */
public enum Scenario {
  /** Nothing: datagrams are lost, doubled, damaged, late and overtaken, as always. */
  LOSS,
  /** The processes fall into two sides that do not hear each other, for a while. */
  PARTITION,
  /** Some hear others that do not hear them. */
  ONE_WAY_CUT,
  /** One replica loses its memory. */
  CRASH_ONE,
  /** Fewer than half of the replicas lose their memory, maybe together. */
  CRASH_MINORITY,
  /** One replica after the other loses its memory, until most of them have. */
  CRASH_IN_TURN,
  /** All replicas lose their memory together. */
  CRASH_ALL,
  /**
   * A replica loses its memory and starts again where it hears no other one, but some front-ends:
   * it begins with no state, and meets the others later.
   */
  RESTART_ISOLATED,
  /** Front-ends lose their memory, and come back under another client id. */
  CRASH_FRONT_ENDS,
  /** Processes stop for a while, keeping their memory. */
  PAUSE,
  /** Replicas take long for every step. */
  SLOW,
  /** Clocks are far off, go wrong, and are set. */
  CLOCKS,
  /** Replicas start again with an older release, and with the newer one again. */
  UPGRADE,
  /** Replicas start one after the other, while front-ends already ask. */
  STAGGERED_START,
  /** Replicas start while some do not hear the others. */
  START_PARTITIONED,
  /** All of it. */
  BURN
}
