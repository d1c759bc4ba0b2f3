package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTest {
  private long serial;

  static LongStream seeds() {
    return Seeds.of(100);
  }

  @Test
  void appendsAtBothEndsStayOneStepLong() {
    Position last = next(null, null);
    Position first = last;
    for (int i = 0; i < 100_000; i++) {
      Position after = next(last, null);
      Position before = next(null, first);
      assertThat(last).isLessThan(after);
      assertThat(before).isLessThan(first);
      last = after;
      first = before;
    }
    assertThat(last.steps()).isEqualTo(1);
    assertThat(first.steps()).isEqualTo(1);
    // One stride each, so billions fit.
    assertThat(Long.MAX_VALUE / Position.STRIDE).isGreaterThan(8_000_000_000L);
  }

  /** Where insertions converge they lengthen the path, elsewhere hardly: what the docs promise. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void insertionsAtOnePlaceLengthenSlowly(int pattern) {
    Position low = next(null, null);
    Position high = next(low, null);
    int longest = 0;
    for (int i = 0; i < 10_000; i++) {
      Position middle = next(low, high);
      longest = Math.max(longest, middle.steps());
      if (pattern == 0 || (pattern == 2 && i % 2 == 0)) {
        low = middle; // Each after the last one.
      } else {
        high = middle; // Each before the last one.
      }
    }
    assertThat(longest).isLessThanOrEqualTo(pattern == 2 ? 2 + 10_000 / 43 : 2);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void insertionsOfManyClientsKeepTheirPlacesAndDiffer(long seed) {
    Random random = new Random(seed);
    List<Position> list = new ArrayList<>();
    Set<Position> all = new HashSet<>();
    int width = 1 + random.nextInt(300); // Narrow ones go deep.
    for (int i = 0; i < 300; i++) {
      int middle = list.size() / 2;
      int low = Math.max(0, middle - width);
      int at = low + random.nextInt(Math.min(list.size(), middle + width) - low + 1);
      Position before = at == 0 ? null : list.get(at - 1);
      Position after = at == list.size() ? null : list.get(at);
      // Some know nothing of each other and insert at the same place, with the same serial.
      List<Position> between = new ArrayList<>();
      for (int client = random.nextInt(3); client >= 0; client--) {
        between.add(Position.between(before, after, client, i));
      }
      between.sort(null);
      list.addAll(at, between);
      between.forEach(position -> assertThat(all.add(position)).isTrue());
    }
    assertThat(all).hasSameSizeAs(list);
    assertIsSorted(list);
    for (Position position : list) {
      assertThat(read(bytes(position))).isEqualTo(position).hasSameHashCodeAs(position);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void comparesAlikeHoweverItCameAbout(long seed) {
    Random random = new Random(seed);
    List<Position> list = new ArrayList<>(List.of(next(null, null)));
    for (int i = 0; i < 100; i++) {
      int at = random.nextInt(1 + random.nextInt(1 + list.size()));
      Position before = at == 0 ? null : list.get(at - 1);
      // Read ones share no steps with the others.
      Position position = next(before, at == list.size() ? null : list.get(at));
      list.add(at, random.nextBoolean() ? position : read(bytes(position)));
    }
    assertIsSorted(list);
  }

  @Test
  void manyAtOneTimeAreInOrderAndShort() {
    Position low = next(null, null);
    Position high = next(low, null);
    Position[] last = new Position[1000];
    Position[] first = new Position[1000];
    Position[] middle = new Position[1000];
    Position.fill(last, high, null, 5, 10_000);
    Position.fill(first, null, low, 5, 20_000);
    Position.fill(middle, low, high, 5, 30_000);
    List<Position> all = new ArrayList<>(List.of(first));
    all.add(low);
    all.addAll(List.of(middle));
    all.add(high);
    all.addAll(List.of(last));

    assertThat(all).isSorted().doesNotHaveDuplicates().allMatch(one -> one.steps() == 1);
    // What is left between two of them is enough for more.
    assertThat(next(middle[0], middle[1]).steps()).isEqualTo(1);
  }

  @Test
  void betweenEqualDigitsOfDifferentClientsIsRoom() {
    Position low = Position.between(null, null, 1, 7);
    Position high = Position.between(null, null, 2, 7);
    for (int i = 0; i < 200; i++) {
      Position middle = next(low, high);
      assertThat(middle).isGreaterThan(low).isLessThan(high);
      high = middle;
    }
    Position first = Position.between(null, null, 1, 6);
    assertThat(first).isLessThan(low);
    assertThat(next(first, low)).isGreaterThan(first).isLessThan(low);
  }

  @Test
  void thereIsAlwaysRoomBeforeTheFirstAndAfterTheLast() {
    Position first = read(steps(Long.MIN_VALUE + 2));
    Position last = read(steps(Long.MAX_VALUE));
    for (int i = 0; i < 100; i++) {
      Position before = next(null, first);
      Position after = next(last, null);
      assertThat(before).isLessThan(first);
      assertThat(after).isGreaterThan(last);
      first = before;
      last = after;
    }
    Position deep = read(steps(Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1));
    assertThat(next(null, deep)).isLessThan(deep);
  }

  @Test
  void neighboursHaveToBeInOrder() {
    Position low = next(null, null);
    Position high = next(low, null);
    assertThatIllegalArgumentException().isThrownBy(() -> next(high, low));
    assertThatIllegalArgumentException().isThrownBy(() -> next(low, low));
  }

  @Test
  void refusesToGrowBeyondWhatIsRead() {
    long[] digits = new long[Position.STEPS_MAX];
    Position longest = read(steps(digits));
    digits[digits.length - 1] = 1;
    Position beside = read(steps(digits));
    assertThatIllegalStateException()
        .isThrownBy(() -> next(longest, beside))
        .withMessageContaining("at one place");
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> read(steps(new long[Position.STEPS_MAX + 1])));
  }

  @Test
  void refusesBytesThatAreNoPosition() {
    Bytes good = bytes(next(null, next(null, null)));
    for (int length = 0; length < good.size(); length++) {
      ByteReader cut = good.reader().slice(length);
      assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> Position.TYPE.read(cut));
    }
    assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> read(steps()));
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> read(steps(0, Long.MIN_VALUE)));
  }

  @Test
  void theLayoutStays() {
    Position one = Position.between(null, null, 0x1122334455667788L, 3);
    Position two = Position.between(one, null, -1, 4);
    assertThat(bytes(one)).hasToString("01001122334455667788" + "06");
    assertThat(bytes(two)).hasToString("018080808008ffffffffffffffff08");
  }

  private Position next(@Nullable Position before, @Nullable Position after) {
    serial++;
    return Position.between(before, after, 5, serial);
  }

  private static void assertIsSorted(List<Position> list) {
    for (int i = 0; i < list.size(); i++) {
      for (int j = 0; j < list.size(); j++) {
        if (Integer.signum(list.get(i).compareTo(list.get(j))) != Integer.compare(i, j)) {
          throw new AssertionError(list.get(i) + " at " + i + ", " + list.get(j) + " at " + j);
        }
      }
    }
  }

  private static Bytes bytes(Position position) {
    ByteWriter writer = new ByteWriter(1 << 20);
    Position.TYPE.write(position, writer);
    return writer.toBytes();
  }

  private static Position read(Bytes bytes) {
    ByteReader reader = bytes.reader();
    Position position = Objects.requireNonNull(Position.TYPE.read(reader));
    reader.expectEnd();
    return position;
  }

  /** The bytes of a path with these digits, all of client 0 with serial 0. */
  private static Bytes steps(long... digits) {
    ByteWriter writer = new ByteWriter(1 << 20);
    writer.writeVarint(digits.length);
    for (long digit : digits) {
      writer.writeZigzag(digit);
      writer.writeLong(0);
      writer.writeZigzag(0);
    }
    return writer.toBytes();
  }
}
