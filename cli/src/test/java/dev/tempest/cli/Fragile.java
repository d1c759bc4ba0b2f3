package dev.tempest.cli;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Map;

/** A service with bugs that no replica survives. */
public interface Fragile {
  /** Counts. */
  @Update
  int count();

  /** Breaks the replica: it stops at the next request. */
  @Update
  int breakDown();

  /** Keeps something. */
  @Update
  int keep(int key);

  /** Says whether it keeps something. */
  @Read
  boolean keeps(int key);

  /** Takes all the memory of the process, and keeps it. */
  @Read
  int fillMemory();

  /** Ends the process. */
  @Update
  int exit();

  /** Has its bugs on purpose. */
  final class Service implements Fragile {
    private static final int CHUNK_MAX_BYTES = 1 << 20;

    private final State state;
    private final Map<String, Integer> counts;
    private final Map<Integer, String> kept;

    /** A list that takes nothing but its elements. */
    private Object[] leak = {};

    /** Nothing is counted yet. */
    public Service(State state) {
      this.state = state;
      this.counts = state.map("counts", String.class, Integer.class);
      this.kept = state.map("kept", Integer.class, String.class);
    }

    @Override
    public int count() {
      return counts.merge("all", 1, Integer::sum);
    }

    @Override
    public int keep(int key) {
      kept.put(key, "%1000d".formatted(key));
      return key;
    }

    @Override
    public boolean keeps(int key) {
      return kept.containsKey(key);
    }

    /** Does what no service can that knows the public types only. */
    @Override
    public int breakDown() {
      try {
        Object action = state.action();
        action.getClass().getMethod("abort").invoke(action);
        Object empty = state.getClass().getMethod("emptyVersion").invoke(state);
        state
            .getClass()
            .getMethod("begin", empty.getClass(), long.class, long.class)
            .invoke(state, empty, 0L, 0L);
        return 0;
      } catch (ReflectiveOperationException otherInternals) {
        throw new LinkageError("Tempest has other internals", otherInternals);
      }
    }

    @Override
    public int exit() {
      System.exit(0);
      return 0;
    }

    @Override
    public int fillMemory() {
      for (int bytes = CHUNK_MAX_BYTES; ; bytes = Math.max(1, bytes / 2)) {
        fill(bytes);
      }
    }

    private void fill(int chunkBytes) {
      try {
        while (true) {
          leak = new Object[] {leak, new byte[chunkBytes]};
        }
      } catch (OutOfMemoryError full) {
        if (chunkBytes == 1) {
          throw full;
        }
      }
    }
  }
}
