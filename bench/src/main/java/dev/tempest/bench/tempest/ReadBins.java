package dev.tempest.bench.tempest;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import org.jspecify.annotations.Nullable;

/** How reads ended, in bins of two seconds by the time when they did. Thread-safe. */
final class ReadBins implements Serializable {
  static final int BIN_MILLIS = 2_000;

  private static final long serialVersionUID = 1;

  /** How a read ended: a stale result misses an update acknowledged before the read began. */
  enum End {
    FRESH,
    STALE,
    UNANSWERED
  }

  private final long startNanos;
  private final ArrayList<EnumMap<End, Long>> counts = new ArrayList<>();
  private long lastStaleMillis;

  /**
   * No reads yet.
   *
   * @param millis for so long; what ends later counts into the last bin
   */
  ReadBins(long startNanos, long millis) {
    this.startNanos = startNanos;
    for (long from = 0; from < millis; from += BIN_MILLIS) {
      counts.add(new EnumMap<>(End.class));
    }
  }

  /**
   * A read has ended.
   *
   * @param shown the number of additions that it shows; null if it has no result
   * @param acknowledged the number that it has to show not to be stale
   */
  synchronized void ended(@Nullable Integer shown, int acknowledged) {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    End end = shown == null ? End.UNANSWERED : shown < acknowledged ? End.STALE : End.FRESH;
    int bin = (int) Math.min(millis / BIN_MILLIS, counts.size() - 1);
    counts.get(bin).merge(end, 1L, Long::sum);
    if (end == End.STALE) {
      lastStaleMillis = Math.max(lastStaleMillis, millis);
    }
  }

  synchronized int bins() {
    return counts.size();
  }

  synchronized long count(int bin, End end) {
    return counts.get(bin).getOrDefault(end, 0L);
  }

  /** When the last stale result came, since the start; 0 if none did. */
  synchronized long lastStaleMillis() {
    return lastStaleMillis;
  }
}
