package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ZipfTest {

  @Test
  void frequenciesFallAsOneOverRank() {
    int draws = 1_000_000;
    int[] counts = counts(1_024, 1, draws);
    double harmonic = 0;
    for (int rank = 1; rank <= 1_024; rank++) {
      harmonic += 1.0 / rank;
    }
    for (int rank : new int[] {1, 2, 3, 10, 100}) {
      double expected = draws / (rank * harmonic);
      // Five standard deviations of a count.
      assertThat((double) counts[rank - 1])
          .as("rank %d", rank)
          .isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void exponentZeroMakesAllRanksEqual() {
    int[] counts = counts(4, 0, 100_000);
    for (int count : counts) {
      assertThat(count).isBetween(24_300, 25_700);
    }
  }

  @Test
  void everyRankIsReachedAndNoneBeyond() {
    Zipf zipf = new Zipf(3, 1);
    assertThat(zipf.next(always(0))).isEqualTo(0);
    assertThat(zipf.next(always(Math.nextDown(1.0)))).isEqualTo(2);
    assertThat(new Zipf(1, 1).next(always(0.5))).isEqualTo(0);
  }

  @Test
  void refusesAnEmptyDistribution() {
    assertThatThrownBy(() -> new Zipf(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Zipf(1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
  }

  private static int[] counts(int n, double s, int draws) {
    Zipf zipf = new Zipf(n, s);
    RandomGenerator random = new SplittableRandom(17);
    int[] counts = new int[n];
    for (int draw = 0; draw < draws; draw++) {
      counts[zipf.next(random)]++;
    }
    return counts;
  }

  private static RandomGenerator always(double value) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        return 0;
      }

      @Override
      public double nextDouble() {
        return value;
      }
    };
  }
}
