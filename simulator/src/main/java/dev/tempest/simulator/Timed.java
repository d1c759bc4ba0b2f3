package dev.tempest.simulator;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Map;

/** A service whose executions take time, and do little else. */
public interface Timed {
  /** Counts for a key; what it counts then. */
  @Update
  long note(int key);

  /** What was counted for a key. */
  @Read
  long look(int key);

  /** Over one map. */
  final class Service implements Timed {
    private final Map<Integer, Long> counts;
    private final Runnable executing;

    /**
     * A service.
     *
     * @param executing is run by each execution of a method, also when an update is executed again:
     *     it spends the time, or notes that it is spent
     */
    public Service(State state, Runnable executing) {
      this.counts = state.map("counts", Integer.class, Long.class);
      this.executing = executing;
    }

    @Override
    public long note(int key) {
      executing.run();
      return counts.merge(key, 1L, Long::sum);
    }

    @Override
    public long look(int key) {
      executing.run();
      return counts.getOrDefault(key, 0L);
    }
  }
}
