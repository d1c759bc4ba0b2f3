package dev.tempest.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class StableHashTest {
  /** Pinned: state that is stored or compared between servers depends on these. */
  @Test
  void hashesNeverChange() {
    assertThat(StableHash.of("")).isEqualTo(0);
    assertThat(StableHash.of("cart")).isEqualTo(1156011115);
    assertThat(StableHash.of("Gr\u00FC\u00DFe")).isEqualTo(1343164741);
    assertThat(StableHash.of(0)).isEqualTo(0);
    assertThat(StableHash.of(1)).isEqualTo(-1269383940);
    assertThat(StableHash.of(-1)).isEqualTo(1689612811);
    assertThat(StableHash.of("cart".getBytes(StandardCharsets.UTF_8))).isEqualTo(-2052518255);
  }

  @Test
  void numbersThatFollowEachOtherSpreadOverEveryFiveBits() {
    spreads(i -> StableHash.of(i));
  }

  @Test
  void similarStringsSpreadOverEveryFiveBits() {
    spreads(i -> StableHash.of("customer-" + i));
    spreads(i -> StableHash.of(i + "-customer"));
  }

  @Test
  void stringsThatTheJdkHashesAlikeDiffer() {
    assertThat(StableHash.of("AaAa")).isNotEqualTo(StableHash.of("BBBB"));
    assertThat(StableHash.of("a\0")).isNotEqualTo(StableHash.of("a"));
    assertThat(StableHash.of("\0a")).isNotEqualTo(StableHash.of("a\0"));
  }

  @Test
  void hundredThousandKeysCollideNoMoreThanChanceHasIt() {
    TreeSet<Integer> hashes = new TreeSet<>();
    for (int i = 0; i < 100_000; i++) {
      hashes.add(StableHash.of("customer-" + i));
    }
    // Chance: 100,000^2 / 2 / 2^32 = 1.2 pairs.
    assertThat(100_000 - hashes.size()).isLessThan(8);
  }

  /** Every window of 5 bits, as a trie takes them, has its 32 values about equally often. */
  private static void spreads(IntUnaryOperator hash) {
    for (int shift = 0; shift <= 27; shift++) {
      int[] counts = new int[32];
      for (int i = 0; i < 32_000; i++) {
        counts[hash.applyAsInt(i) >>> shift & 31]++;
      }
      // Binomial with mean 1,000 and deviation 31: six deviations.
      for (int count : counts) {
        assertThat(count).as("window at bit %s", shift).isBetween(814, 1_186);
      }
    }
  }
}
