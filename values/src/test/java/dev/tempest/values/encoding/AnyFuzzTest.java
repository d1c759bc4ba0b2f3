package dev.tempest.values.encoding;

import static dev.tempest.values.encoding.AnyTypeTest.bytes;
import static dev.tempest.values.encoding.AnyTypeTest.readAny;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Random values and random bytes of everything that there is. */
class AnyFuzzTest {
  private static final ValueType<Object> ANY = Samples.TYPE;

  /** Declares one more. */
  private static final ValueType<Object> STRANGERS =
      ValueType.any(Object.class, Stranger.class, Samples.Item.class, Samples.Pairs.class);

  private static final ValueType<Object> NOTHING_DECLARED = ValueType.any(Object.class);

  record Stranger(int number) {}

  @Test
  void valuesComeBackAndEqualOnesAreAlikeInAll() {
    Seeds.check(
        2_000,
        random -> {
          Object value = Samples.key(random, 4);
          Bytes bytes = bytes(ANY, value);
          Object read = readAny(ANY, bytes);
          Object copy = ANY.copy(value);

          assertThat(read).isEqualTo(value).hasSameHashCodeAs(value);
          assertThat(value).isEqualTo(read);
          assertThat(copy).isEqualTo(value);
          assertThat(ANY.copy(copy)).as("what was copied is immutable").isSameAs(copy);
          assertThat(ANY.copy(read)).as("what was read is immutable").isSameAs(read);
          for (Object same : List.of(read, copy, shuffled(value, random))) {
            assertThat(bytes(ANY, same)).isEqualTo(bytes);
            assertThat(ANY.hash(same)).isEqualTo(ANY.hash(value));
            assertThat(ANY.compare(same, value)).isZero();
            assertThat(ANY.isSame(same, value)).isTrue();
          }
          assertThat(read.toString()).as("iterates alike").isEqualTo(copy.toString());
        });
  }

  @Test
  void mutableValuesComeBackAndAreCopied() {
    Seeds.check(
        1_000,
        random -> {
          Object value = Samples.value(random, 2);
          Bytes bytes = bytes(ANY, value);
          Object read = readAny(ANY, bytes);

          assertThat(read).usingRecursiveComparison().isEqualTo(ANY.copy(value));
          assertThat(bytes(ANY, read)).isEqualTo(bytes);
          assertThat(bytes(ANY, ANY.copy(value))).isEqualTo(bytes);
          assertThat(ANY.hash(read)).isEqualTo(ANY.hash(value));
          assertThat(ANY.isSame(read, value)).isTrue();
          assertThat(ANY.compare(read, value)).isZero();
        });
  }

  /** A node that declares nothing stores, hashes and passes on the same as one that does. */
  @Test
  void whoDeclaresNothingKeepsEverything() {
    Seeds.check(
        1_000,
        random -> {
          Object value = Samples.value(random, 3);
          Bytes bytes = bytes(ANY, value);
          Object kept = readAny(NOTHING_DECLARED, bytes);

          assertThat(bytes(NOTHING_DECLARED, kept)).isEqualTo(bytes);
          assertThat(NOTHING_DECLARED.hash(kept)).isEqualTo(ANY.hash(value));
          assertThat(ANY.isSame(readAny(ANY, bytes(NOTHING_DECLARED, kept)), value)).isTrue();
        });
  }

  @Test
  void theOrderIsTotal() {
    Seeds.check(
        200,
        random -> {
          List<Object> values = new ArrayList<>();
          for (int i = 0; i < 40; i++) {
            values.add(Samples.key(random, 2));
            Object stranger = new Stranger(random.nextInt(9));
            Object mixed = List.of(Samples.key(random, 1), stranger);
            Object other = random.nextBoolean() ? stranger : mixed;
            values.add(readAny(ANY, bytes(STRANGERS, other)));
          }
          values.sort(ANY::compare);
          for (int i = 0; i < values.size(); i++) {
            for (int j = 0; j < values.size(); j++) {
              Object left = values.get(i);
              Object right = values.get(j);
              int order = Integer.signum(ANY.compare(left, right));
              assertThat(order).isEqualTo(-Integer.signum(ANY.compare(right, left)));
              assertThat(order == 0).isEqualTo(bytes(ANY, left).equals(bytes(ANY, right)));
              if (order != 0) {
                assertThat(order).as("%s and %s", left, right).isEqualTo(Integer.compare(i, j));
              }
            }
          }
        });
  }

  @Test
  void changedBytesAreKeptAsTheyAreOrMalformed() {
    Seeds.check(
        5_000,
        random -> {
          byte[] changed = bytes(ANY, Samples.value(random, 3)).toArray();
          for (int i = random.nextInt(3); i >= 0; i--) {
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
          }
          int cut = random.nextBoolean() ? 0 : random.nextInt(changed.length);
          keptOrMalformed(ANY, Bytes.of(changed, 0, changed.length - cut));
        });
  }

  @Test
  void randomBytesAreKeptAsTheyAreOrMalformed() {
    Seeds.check(
        20_000,
        random -> {
          byte[] bytes = new byte[1 + random.nextInt(80)];
          random.nextBytes(bytes);
          bytes[0] = (byte) random.nextInt(72);
          keptOrMalformed(ANY, Bytes.of(bytes));
          keptOrMalformed(NOTHING_DECLARED, Bytes.of(bytes));
        });
  }

  /** Whatever is read can be written again as the bytes that it came from: replicas agree. */
  private static void keptOrMalformed(ValueType<Object> type, Bytes bytes) {
    ByteReader reader = bytes.reader();
    Object read;
    try {
      read = type.read(reader);
    } catch (MalformedException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
      return;
    }
    if (read != null) {
      Bytes used = Bytes.of(bytes.toArray(), 0, bytes.size() - reader.remaining());
      assertThat(bytes(type, read)).isEqualTo(used);
      assertThat(type.hash(read)).isEqualTo(type.hash(readAny(type, used)));
      assertThat(type.compare(read, readAny(type, used))).isZero();
      assertThat(type.isSame(read, type.copy(read))).isTrue();
      if (read instanceof Opaque opaque) {
        assertThat(opaque.reason()).isNotEmpty();
        assertThat(opaque.toString()).isNotEmpty();
      }
    }
  }

  /** An equal value, whose sets and maps iterate otherwise. */
  private static Object shuffled(Object value, Random random) {
    if (value instanceof Set<?> set) {
      List<Object> elements = new ArrayList<>(set);
      Collections.shuffle(elements, random);
      return new LinkedHashSet<>(elements);
    }
    if (value instanceof Map<?, ?> map) {
      List<Object> keys = new ArrayList<>(map.keySet());
      Collections.shuffle(keys, random);
      Map<Object, Object> entries = new LinkedHashMap<>();
      keys.forEach(key -> entries.put(key, new HashMap<>(map).get(key)));
      return entries;
    }
    return value;
  }
}
