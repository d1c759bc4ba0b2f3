package dev.tempest.cli;

import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A service with bugs that no replica survives. */
public interface Fragile {
  /** Counts. */
  @Update
  int count();

  /** Breaks the replica. */
  @Update
  int breakDown();

  /** Takes all the memory of the process, and keeps it. */
  @Update
  int fillMemory();

  /** Has its bugs on purpose. */
  final class Service implements Fragile {
    private static final int CHUNK_MAX_BYTES = 1 << 20;

    private final Map<String, Integer> counts;
    private final List<byte[]> leak = new ArrayList<>();

    /** Nothing is counted yet. */
    public Service(State state) {
      this.counts = state.map("counts", String.class, Integer.class);
    }

    @Override
    public int count() {
      return counts.merge("all", 1, Integer::sum);
    }

    @Override
    public int breakDown() {
      throw new InternalError("a bug, on purpose");
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
          leak.add(new byte[chunkBytes]);
        }
      } catch (OutOfMemoryError full) {
        if (chunkBytes == 1) {
          throw full;
        }
      }
    }
  }
}
