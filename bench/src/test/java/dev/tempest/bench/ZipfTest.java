package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ZipfTest {

  @Test
  void frequenciesFallAsOneOverRank() {
    int draws = 1_000_000;
    int[] counts = counts(1_024, draws);
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
  void everyRankIsReachedAndNoneBeyond() {
    Zipf zipf = new Zipf(3);
    assertThat(zipf.next(() -> 0)).isEqualTo(0);
    assertThat(zipf.next(() -> -1)).isEqualTo(2);
    assertThat(new Zipf(1).next(() -> -1)).isEqualTo(0);
  }

  private static int[] counts(int n, int draws) {
    Zipf zipf = new Zipf(n);
    RandomGenerator random = new SplittableRandom(17);
    int[] counts = new int[n];
    for (int draw = 0; draw < draws; draw++) {
      counts[zipf.next(random)]++;
    }
    return counts;
  }
}
