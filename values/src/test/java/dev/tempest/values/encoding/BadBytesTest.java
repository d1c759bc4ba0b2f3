package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever bytes arrive, they are a value or malformed; never another exception or error. */
class BadBytesTest {
  private static final List<ValueType<?>> TYPES = ValueTypeTest.all();

  @Test
  void randomBytesAreAValueOrMalformed() {
    Seeds.check(
        20_000,
        random -> {
          byte[] bytes = new byte[random.nextInt(64)];
          random.nextBytes(bytes);
          if (bytes.length > 0 && random.nextBoolean()) {
            bytes[0] = 1; // Otherwise most would end at the sign of null.
          }
          for (ValueType<?> type : TYPES) {
            readOrRefuse(type, Bytes.of(bytes));
          }
        });
  }

  @Test
  void changedBytesAreAValueOrMalformed() {
    ValueType<ValueTypeTest.Everything> everything = ValueType.of(ValueTypeTest.Everything.class);
    ValueType<ValueTypeTest.Tree> tree = ValueType.of(ValueTypeTest.Tree.class);
    Seeds.check(
        5_000,
        random -> {
          Bytes flat = ValueTypeTest.bytes(everything, ValueTypeTest.randomEverything(random));
          readOrRefuse(everything, changed(flat, random));
          Bytes nested = ValueTypeTest.bytes(tree, ValueTypeTest.randomTree(random, 6));
          readOrRefuse(tree, changed(nested, random));
        });
  }

  private static Bytes changed(Bytes bytes, Random random) {
    byte[] changed = bytes.toArray();
    for (int i = random.nextInt(4); i >= 0; i--) {
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return Bytes.of(changed, 0, changed.length - random.nextInt(changed.length / 4 + 1));
  }

  /** What is read is a whole value: it can be written, and reads as itself. */
  private static <T> void readOrRefuse(ValueType<T> type, Bytes bytes) {
    @Nullable T value;
    try {
      value = type.read(bytes.reader());
    } catch (MalformedException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
      return;
    }
    Bytes written = ValueTypeTest.bytes(type, value);
    assertThat(ValueTypeTest.bytes(type, ValueTypeTest.read(type, written))).isEqualTo(written);
    if (value != null) {
      assertThat(type.hash(type.copy(value))).isEqualTo(type.hash(value));
    }
  }
}
