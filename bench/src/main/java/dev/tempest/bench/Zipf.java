package dev.tempest.bench;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Zipf's distribution over the ranks 0 to n - 1: rank r comes with a probability in proportion to 1
 * / (r + 1). Immutable.
 */
final class Zipf {
  private final double[] cumulative;

  Zipf(int n) {
    cumulative = new double[n];
    double sum = 0;
    for (int rank = 0; rank < n; rank++) {
      sum += 1 / (rank + 1.0);
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
