package dev.tempest.values.encoding;

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
    assertThat(StableHash.of("cart")).isEqualTo(384188683);
    assertThat(StableHash.of("Gr\u00FC\u00DFe")).isEqualTo(1432061487);
    assertThat(StableHash.of(0)).isEqualTo(0);
    assertThat(StableHash.of(1)).isEqualTo(-1269383940);
    assertThat(StableHash.of(-1)).isEqualTo(1689612811);
    assertThat(StableHash.of("cart".getBytes(StandardCharsets.UTF_8))).isEqualTo(-818801172);
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
  void namesThatTheJdkHashesAlikeDiffer() {
    assertThat(StableHash.ofName("AaAa")).isNotEqualTo(StableHash.ofName("BBBB"));
    assertThat(StableHash.ofName("a\0")).isNotEqualTo(StableHash.ofName("a"));
    assertThat(StableHash.ofName("\0a")).isNotEqualTo(StableHash.ofName("a\0"));
  }

  /** Collisions of the JDK are all there are: mixing adds none. */
  @Test
  void stringsThatTheJdkHashesApartDiffer() {
    TreeSet<Integer> jdk = new TreeSet<>();
    TreeSet<Integer> ours = new TreeSet<>();
    for (int i = 0; i < 100_000; i++) {
      String text = Integer.toString(i * 7919, 36);
      jdk.add(text.hashCode());
      ours.add(StableHash.of(text));
    }
    assertThat(ours).hasSameSizeAs(jdk);
    assertThat(StableHash.of("AaAa")).isEqualTo(StableHash.of("BBBB"));
  }

  @Test
  void everyBitOfAStringsHashDependsOnEveryBitOfTheJdks() {
    for (int flipped = 0; flipped < 32; flipped++) {
      int[] changes = new int[32];
      for (int i = 0; i < 4_000; i++) {
        // Three code units reach any 32 bits: 31 * (31 * a + b) + c.
        String text = textOfHash(StableHash.of(i));
        String other = textOfHash(text.hashCode() ^ 1 << flipped);
        int changed = StableHash.of(text) ^ StableHash.of(other);
        for (int bit = 0; bit < 32; bit++) {
          changes[bit] += changed >>> bit & 1;
        }
      }
      for (int count : changes) { // Half of them: 2,000, deviation 32.
        assertThat(count).as("bit %s flipped", flipped).isBetween(1_500, 2_500);
      }
    }
  }

  /** A string whose {@link String#hashCode} is {@code hash}. */
  private static String textOfHash(int hash) {
    long rest = hash & 0xFFFF_FFFFL;
    StringBuilder reversed = new StringBuilder();
    while (rest >= 0x10000) {
      reversed.append((char) (rest % 31));
      rest /= 31;
    }
    return reversed.append((char) rest).reverse().toString();
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
