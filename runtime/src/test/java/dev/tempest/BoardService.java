package dev.tempest;

import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The board over two maps. */
public final class BoardService implements Board {
  private final ConcurrentMap<String, Long> counts;
  private final ConcurrentMap<String, String> notes;

  /** An empty board. */
  public BoardService(State state) {
    counts = state.map("counts", String.class, Long.class);
    notes = state.map("notes", String.class, String.class);
  }

  @Override
  public long add(String name, long count) {
    return counts.merge(name, count, Long::sum);
  }

  @Override
  public long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  @Override
  public @Nullable String write(String name, @Nullable String note) {
    return note == null ? notes.remove(name) : notes.put(name, note);
  }

  @Override
  public @Nullable String note(String name) {
    return notes.get(name);
  }

  @Override
  public void fail(String name) {
    counts.put(name, -1L);
    throw new IllegalStateException("not " + name);
  }

  @Override
  public int failRead() {
    throw new UnsupportedOperationException("no such read");
  }
}
