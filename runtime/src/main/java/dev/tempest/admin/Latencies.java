package dev.tempest.admin;

import java.time.Duration;
import java.util.List;

/**
 * How long things of one kind took since the process started, as a histogram.
 *
 * @param counts for each of {@link #BOUNDS} how many took at most as long as it and longer than the
 *     one before; last, how many took longer than all
 */
public record Latencies(List<Long> counts) {
  /** The upper bounds, from 50 microseconds to 10 seconds. */
  public static final List<Duration> BOUNDS =
      List.of(
          Duration.ofNanos(50_000),
          Duration.ofNanos(100_000),
          Duration.ofNanos(200_000),
          Duration.ofNanos(500_000),
          Duration.ofMillis(1),
          Duration.ofMillis(2),
          Duration.ofMillis(5),
          Duration.ofMillis(10),
          Duration.ofMillis(20),
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(200),
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10));

  /**
   * Keeps its own copy.
   *
   * @throws IllegalArgumentException if there is not one more count than bounds
   */
  public Latencies {
    counts = List.copyOf(counts);
    if (counts.size() != BOUNDS.size() + 1) {
      throw new IllegalArgumentException(
          "a histogram has " + (BOUNDS.size() + 1) + " counts, not " + counts.size());
    }
  }

  /** How many there were. */
  public long count() {
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
