package dev.tempest.runtime;

import dev.tempest.admin.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts how long things took. To count takes no lock and no memory. Thread-safe. */
public final class Stopwatch {
  private static final long[] BOUNDS_NANOS =
      Latencies.BOUNDS.stream().mapToLong(bound -> bound.toNanos()).toArray();

  private final LongAdder[] counts = new LongAdder[BOUNDS_NANOS.length + 1];
  private final LongAdder totalNanos = new LongAdder();

  public Stopwatch() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** One more took so long. */
  public void took(long nanos) {
    int bucket = 0; // Most take little: the first ones are looked at first.
    while (bucket < BOUNDS_NANOS.length && nanos > BOUNDS_NANOS[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    totalNanos.add(nanos);
  }

  /** How long all took together. */
  public long totalNanos() {
    return totalNanos.sum();
  }

  /** What was counted so far. */
  public Latencies latencies() {
    List<Long> read = new ArrayList<>(counts.length);
    for (LongAdder count : counts) {
      read.add(count.sum());
    }
    return new Latencies(read);
  }
}
