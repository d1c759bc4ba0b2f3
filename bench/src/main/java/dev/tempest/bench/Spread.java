package dev.tempest.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The middle and the ends of repeated measurements.
 *
 * @param median the middle one; of an even number, the mean of the middle two
 * @param lowest the smallest
 * @param highest the largest
 */
record Spread(double median, double lowest, double highest) {

  /** The spread of at least one value. */
  static Spread of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int size = sorted.size();
    double median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
    return new Spread(median, sorted.getFirst(), sorted.getLast());
  }

  /** The spread of the ratios of values measured in the same round. */
  static Spread ofRatios(List<Double> dividends, List<Double> divisors) {
    if (dividends.size() != divisors.size()) {
      throw new IllegalArgumentException("rounds without a partner");
    }
    return of(
        IntStream.range(0, dividends.size())
            .mapToObj(round -> dividends.get(round) / divisors.get(round))
            .toList());
  }

  /** The spread of one value. */
  static Spread of(double value) {
    return new Spread(value, value, value);
  }

  /** Such as {@code 1.42 [1.31 .. 1.60]}. */
  @Override
  public String toString() {
    return "%s [%s .. %s]".formatted(number(median), number(lowest), number(highest));
  }

  /** Three digits that count are enough. */
  static String number(double value) {
    String format = Math.abs(value) >= 100 || value == Math.rint(value) ? "%,.0f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
