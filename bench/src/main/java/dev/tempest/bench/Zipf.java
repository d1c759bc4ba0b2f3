package dev.tempest.bench;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Zipf's distribution over the ranks 0 to n - 1: rank r comes with a probability in proportion to 1
 * / (r + 1)^s. Immutable.
 */
final class Zipf {
  private final double[] cumulative;

  /**
   * A distribution.
   *
   * @param n how many ranks, from 1
   * @param s the exponent; 0 makes all ranks equal
   */
  Zipf(int n, double s) {
    if (n < 1 || !(s >= 0)) {
      throw new IllegalArgumentException("need n >= 1 and s >= 0, not " + n + ", " + s);
    }
    cumulative = new double[n];
    double sum = 0;
    for (int rank = 0; rank < n; rank++) {
      sum += 1 / Math.pow(rank + 1.0, s);
      cumulative[rank] = sum;
    }
    for (int rank = 0; rank < n; rank++) {
      cumulative[rank] /= sum;
    }
  }

  /** Draws a rank. */
  int next(RandomGenerator random) {
    int found = Arrays.binarySearch(cumulative, random.nextDouble());
    return found >= 0 ? Math.min(found + 1, cumulative.length - 1) : -found - 1;
  }
}
