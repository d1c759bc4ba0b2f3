package dev.tempest.bench;

import java.io.Serializable;
import java.time.Duration;

/**
 * How a client process loads a system: in a closed loop, so that a client sends its next request
 * once the last one is answered and it has thought.
 *
 * @param clients how many clients, all in one process
 * @param thinkMillis between an answer and the next request of a client
 * @param measuredMillis loaded and measured
 */
record LoadPlan(int clients, int thinkMillis, int measuredMillis) implements Serializable {
  /** So many clients at most. */
  static final int CLIENTS_MAX = 65_536;

  /** A fifth of the measured time is loaded before, so that all clients are under way. */
  private static final int WARM_UP_SHARE = 5;

  /** Loaded before it is measured. */
  int warmUpMillis() {
    return measuredMillis / WARM_UP_SHARE;
  }

  /** From the first request to the last. */
  Duration total() {
    return Duration.ofMillis((long) warmUpMillis() + measuredMillis);
  }
}
