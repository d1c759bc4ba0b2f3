package dev.tempest.bench;

import java.io.Serializable;
import org.HdrHistogram.Histogram;

/**
 * What one run of a client process measured.
 *
 * @param interactionNanos interaction times of the requests that ended in the measured time
 * @param measuredNanos the measured time
 * @param answered how many requests were answered, in the whole run
 * @param failed how many requests ended without an answer, in the whole run
 */
record Sample(Histogram interactionNanos, long measuredNanos, long answered, long failed)
    implements Serializable {

  /** Longer interaction times count as this one. */
  static final long MAX_NANOS = 120_000_000_000L;

  private static final int SIGNIFICANT_DIGITS = 3;

  /** A histogram for interaction times. */
  static Histogram newHistogram() {
    return new Histogram(MAX_NANOS, SIGNIFICANT_DIGITS);
  }

  /** Answered requests per second. */
  double requestsPerSecond() {
    return interactionNanos.getTotalCount() * 1e9 / measuredNanos;
  }

  /** The interaction time that the given percentage of requests did not exceed, microseconds. */
  double percentileMicros(double percentile) {
    return interactionNanos.getValueAtPercentile(percentile) / 1e3;
  }
}
