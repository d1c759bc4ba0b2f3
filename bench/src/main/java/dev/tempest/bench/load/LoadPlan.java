package dev.tempest.bench.load;

import java.io.Serializable;

/**
 * How a client process loads a system: in a closed loop, so that a client sends its next request
 * once the last one is answered and it has thought.
 *
 * @param clients how many clients, all in one process
 * @param thinkMillis between an answer and the next request of a client
 * @param warmUpMillis loaded before measuring
 * @param measuredMillis loaded and measured
 * @param coolDownMillis loaded after measuring
 */
public record LoadPlan(
    int clients, int thinkMillis, int warmUpMillis, int measuredMillis, int coolDownMillis)
    implements Serializable {

  /** So many clients at most. */
  public static final int CLIENTS_MAX = 65_536;

  /** Checks the limits. */
  public LoadPlan {
    if (clients < 1 || clients > CLIENTS_MAX) {
      throw new IllegalArgumentException("clients must be 1 to 65536, not " + clients);
    }
    if (thinkMillis < 0 || warmUpMillis < 0 || coolDownMillis < 0) {
      throw new IllegalArgumentException("times must not be negative");
    }
    if (measuredMillis < 1) {
      throw new IllegalArgumentException(
          "measured time must be at least 1 ms, not " + measuredMillis);
    }
  }

  /** One client without think time, measured for all of the time given. */
  public static LoadPlan oneClient(int measuredMillis) {
    return new LoadPlan(1, 0, 0, measuredMillis, 0);
  }

  /** From first request to last. */
  public int totalMillis() {
    return warmUpMillis + measuredMillis + coolDownMillis;
  }
}
