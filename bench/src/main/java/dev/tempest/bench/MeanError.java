package dev.tempest.bench;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * A mean and how well it is known.
 *
 * @param mean of all values; 0 of none
 * @param error the standard error of the mean: the values' deviation, divided by the root of their
 *     number
 * @param count how many values
 */
record MeanError(double mean, double error, long count) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Of nanoseconds, in milliseconds. */
  static MeanError millis(Histogram nanos) {
    long count = nanos.getTotalCount();
    return count == 0
        ? new MeanError(0, 0, 0)
        : new MeanError(
            nanos.getMean() / NANOS_PER_MILLI,
            nanos.getStdDeviation() / NANOS_PER_MILLI / Math.sqrt((double) count),
            count);
  }

  /** Such as {@code 8.21 ± 0.03}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.2f ± %.2f", mean, error);
  }
}
