package dev.tempest.bench.tempest;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** How reads ended, in bins of two seconds by the time when they did. Thread-safe. */
final class ReadBins implements Serializable {
  static final int BIN_MILLIS = 2_000;

  private static final long serialVersionUID = 1;

  private final long startNanos;
  private final long[] answered;
  private final long[] stale;
  private final long[] unanswered;
  private long lastStaleMillis;

  /**
   * No reads yet.
   *
   * @param millis for so long; what ends later counts into the last bin
   */
  ReadBins(long startNanos, long millis) {
    this.startNanos = startNanos;
    int bins = (int) ((millis + BIN_MILLIS - 1) / BIN_MILLIS);
    this.answered = new long[bins];
    this.stale = new long[bins];
    this.unanswered = new long[bins];
  }

  /**
   * A read has ended.
   *
   * @param shown the number of additions that it shows; null if it has no result
   * @param acknowledged the number that it has to show not to be stale
   */
  synchronized void ended(@Nullable Integer shown, int acknowledged) {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    int bin = (int) Math.min(millis / BIN_MILLIS, answered.length - 1);
    if (shown == null) {
      unanswered[bin]++;
      return;
    }
    answered[bin]++;
    if (shown < acknowledged) {
      stale[bin]++;
      lastStaleMillis = Math.max(lastStaleMillis, millis);
    }
  }

  synchronized int bins() {
    return answered.length;
  }

  /** How many had a result. */
  synchronized long answered(int bin) {
    return answered[bin];
  }

  /** How many results missed an update that had been acknowledged before the read began. */
  synchronized long stale(int bin) {
    return stale[bin];
  }

  /** How many had no result. */
  synchronized long unanswered(int bin) {
    return unanswered[bin];
  }

  /** When the last stale result came, since the start; 0 if none did. */
  synchronized long lastStaleMillis() {
    return lastStaleMillis;
  }
}
