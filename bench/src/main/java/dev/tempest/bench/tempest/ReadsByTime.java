package dev.tempest.bench.tempest;

import dev.tempest.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Counts how reads ended, in bins of time. Thread-safe. */
final class ReadsByTime {
  private final long startNanos;
  private final long[][] counts;
  private long lastStaleMillis;

  /**
   * No reads yet.
   *
   * @param millis for so long; what ends later counts into the last bin
   */
  ReadsByTime(long startNanos, long millis) {
    this.startNanos = startNanos;
    int bins = (int) ((millis + OverloadSample.BIN_MILLIS - 1) / OverloadSample.BIN_MILLIS);
    this.counts = new long[bins][3];
  }

  /**
   * A read has ended.
   *
   * @param acknowledged the number of additions that it has to show not to be stale
   */
  synchronized void ended(Outcome<Integer> outcome, int acknowledged) {
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    long[] bin = counts[(int) Math.min(millis / OverloadSample.BIN_MILLIS, counts.length - 1)];
    if (!(outcome instanceof Outcome.Ok<Integer>(Integer shown)) || shown == null) {
      bin[2]++;
      return;
    }
    bin[0]++;
    if (shown < acknowledged) {
      bin[1]++;
      lastStaleMillis = Math.max(lastStaleMillis, millis);
    }
  }

  synchronized OverloadSample.Reads toReads() {
    List<OverloadSample.Bin> bins = new ArrayList<>();
    for (long[] bin : counts) {
      bins.add(new OverloadSample.Bin(bin[0], bin[1], bin[2]));
    }
    return new OverloadSample.Reads(bins, lastStaleMillis);
  }
}
