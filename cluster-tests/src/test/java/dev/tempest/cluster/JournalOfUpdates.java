package dev.tempest.cluster;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Map;
import java.util.stream.LongStream;

/** A service that cannot hide what happened to it: see {@link Service}. */
public interface JournalOfUpdates {
  /** Writes down that an update was executed. */
  @Update
  void write(long tag);

  /** The tags of all updates whose texts are there, as often as they were executed. */
  @Read
  long[] written();

  /**
   * Counts executions, keeps a text of each, and chains the tags, so that no two orders give the
   * same state.
   */
  final class Service implements JournalOfUpdates {
    private static final int CHAIN = 0;
    private static final String TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(2);

    private final Map<Long, Integer> executions;
    private final Map<Long, String> texts;
    private final Map<Integer, Long> chain;

    /** Nothing is written yet. */
    public Service(State state) {
      this.executions = state.map("executions", Long.class, Integer.class);
      this.texts = state.map("texts", Long.class, String.class);
      this.chain = state.map("chain", Integer.class, Long.class);
    }

    @Override
    public void write(long tag) {
      executions.merge(tag, 1, Integer::sum);
      texts.put(tag, text(tag));
      chain.put(CHAIN, 31 * chain.getOrDefault(CHAIN, 0L) + tag);
    }

    @Override
    public long[] written() {
      return executions.entrySet().stream()
          .filter(entry -> text(entry.getKey()).equals(texts.get(entry.getKey())))
          .flatMapToLong(entry -> LongStream.range(0, entry.getValue()).map(i -> entry.getKey()))
          .toArray();
    }

    private static String text(long tag) {
      return TEXT + tag;
    }
  }
}
