package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SplitMixTest {
  @Test
  void givesThePublishedNumbers() {
    // The first of java.util.SplittableRandom, which the same paper describes.
    SplitMix random = new SplitMix(42);
    SplittableRandom reference = new SplittableRandom(42);
    for (int i = 0; i < 100; i++) {
      assertThat(random.nextLong()).isEqualTo(reference.nextLong());
    }
  }

  @Test
  void everyMethodIsTheSameInEveryJavaVersion() {
    SplitMix random = new SplitMix(7);
    byte[] bytes = new byte[11];
    random.nextBytes(bytes);
    String drawn =
        Arrays.toString(bytes)
            + " "
            + random.nextInt()
            + " "
            + random.nextInt(1000)
            + " "
            + random.nextInt(-5, 5)
            + " "
            + random.nextLong(1L << 40)
            + " "
            + random.nextLong(Long.MIN_VALUE, Long.MAX_VALUE)
            + " "
            + random.nextBoolean()
            + " "
            + random.nextFloat()
            + " "
            + random.nextDouble()
            + " "
            + random.nextGaussian()
            + " "
            + random.nextExponential();
    assertThat(drawn)
        .isEqualTo(
            "[-41, 13, 50, 89, -28, -31, -53, 99, 28, 102, 60] -426229632 101 2 289471943944"
                + " 8632209307422871798 false 0.13425827 0.41314139741777933 1.1015851968433443"
                + " 2.117049520252348");
  }

  @Test
  void drawsEveryNumberWithinTheBoundsEquallyOften() {
    SplitMix random = new SplitMix(1);
    int[] counts = new int[7];
    for (int i = 0; i < 70_000; i++) {
      counts[random.nextInt(-3, 4) + 3]++;
    }
    for (int count : counts) {
      assertThat(count).isBetween(9_500, 10_500);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> random.nextInt(0));
    assertThatIllegalArgumentException().isThrownBy(() -> random.nextLong(3, 3));
  }
}
