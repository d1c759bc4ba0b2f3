package dev.tempest.bench.load;

import java.util.List;

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
    int clients, int thinkMillis, int warmUpMillis, int measuredMillis, int coolDownMillis) {

  /** Checks the limits. */
  public LoadPlan {
    if (clients < 1 || clients > 65_536) {
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

  /** As one line of text. */
  public String toLine() {
    return "%d %d %d %d %d"
        .formatted(clients, thinkMillis, warmUpMillis, measuredMillis, coolDownMillis);
  }

  /** The plan of a line made by {@link #toLine}. */
  public static LoadPlan parse(String line) {
    List<Integer> fields = List.of(line.split(" ", -1)).stream().map(Integer::valueOf).toList();
    return new LoadPlan(fields.get(0), fields.get(1), fields.get(2), fields.get(3), fields.get(4));
  }
}
