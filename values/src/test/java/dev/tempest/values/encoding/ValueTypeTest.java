package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.values.TooLargeException;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueFormat;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@SuppressWarnings("ArrayRecordComponent") // byte[] is a value: that is what is tested.
class ValueTypeTest {
  record Line(String item, int quantity, double price) {}

  record Everything(
      boolean flag,
      byte small,
      short medium,
      char letter,
      int number,
      long large,
      float single,
      double precise,
      @Nullable String text,
      @Nullable Integer boxed,
      @Nullable TimeUnit unit,
      @Nullable Line line) {}

  record Tree(@Nullable Tree left, @Nullable Tree right, int value) {}

  record Ping(@Nullable Pong pong) {}

  record Pong(@Nullable Ping ping, byte[] payload) {}

  record Empty() {}

  record Blob(String name, byte[] content) {}

  record Positive(int value) {
    Positive {
      if (value <= 0) {
        throw new IllegalArgumentException("not positive: " + value);
      }
    }
  }

  /** Cannot be constructed here: its class, or what it needs, is another one than elsewhere. */
  record Failing(int value) {
    Failing {
      switch (value) {
        case 1 -> throw new AssertionError("refused here");
        case 2 -> throw new NoClassDefFoundError("refused here");
        case 3 -> throw new Error("refused here");
        default -> throw new StackOverflowError("refused here");
      }
    }
  }

  record Holder(String name, Inner inner) {}

  record Inner(Iterable<String> tags) {}

  static class Session {}

  record Visit(String name, Session session) {}

  private static final List<TimeUnit> UNITS = List.of(TimeUnit.values());

  @Test
  void edgesOfEveryScalarComeBack() {
    roundTrips(boolean.class, true, false);
    roundTrips(Boolean.class, true, false, null);
    roundTrips(byte.class, (byte) 0, Byte.MIN_VALUE, Byte.MAX_VALUE);
    roundTrips(Byte.class, Byte.MIN_VALUE, null);
    roundTrips(short.class, Short.MIN_VALUE, Short.MAX_VALUE);
    roundTrips(Short.class, Short.MIN_VALUE, null);
    roundTrips(char.class, 'a', Character.MIN_VALUE, Character.MAX_VALUE, '\uD800');
    roundTrips(Character.class, Character.MAX_VALUE, null);
    roundTrips(int.class, 0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
    roundTrips(Integer.class, Integer.MIN_VALUE, null);
    roundTrips(long.class, 0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE);
    roundTrips(Long.class, Long.MAX_VALUE, null);
    roundTrips(float.class, 0f, -0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY);
    roundTrips(Float.class, Float.MAX_VALUE, null);
    roundTrips(double.class, 0d, -0d, Double.NaN, Double.MIN_VALUE, Double.POSITIVE_INFINITY);
    roundTrips(Double.class, Double.MAX_VALUE, null);
    roundTrips(String.class, "", "cart", "\0", "x".repeat(100_000), "\uD800", null);
    roundTrips(TimeUnit.class, TimeUnit.NANOSECONDS, TimeUnit.DAYS, null);
  }

  @Test
  void recordsComeBack() {
    roundTrips(Line.class, new Line("tea", -3, 2.5), null);
    roundTrips(Empty.class, new Empty(), null);
    roundTrips(
        Everything.class,
        new Everything(
            true, (byte) -1, (short) -2, 'c', -4, -5L, -0f, Double.NaN, null, null, null, null),
        new Everything(
            false, (byte) 1, (short) 2, 'd', 4, 5L, 6f, 7d, "", 8, TimeUnit.DAYS, line()));
    roundTrips(Tree.class, new Tree(new Tree(null, null, 1), new Tree(null, null, 2), 3));
  }

  @Test
  void randomRecordsComeBackAndEqualOnesHashAlike() {
    Seeds.check(
        2_000,
        random -> {
          Everything value = randomEverything(random);
          roundTrips(Everything.class, value);
          roundTrips(Tree.class, randomTree(random, 8));
        });
  }

  @Test
  void bytesComeBackByContents() {
    ValueType<Blob> type = ValueType.of(Blob.class);
    Blob read = read(type, bytes(type, new Blob("b", new byte[] {1, 2})));

    assertThat(read)
        .isNotNull()
        .satisfies(blob -> assertThat(blob.content()).containsExactly(1, 2));
    assertThat(read(ValueType.of(byte[].class), bytes(ValueType.of(byte[].class), new byte[0])))
        .isEmpty();
  }

  /** Pinned: bytes that are stored or on their way are read by the next release. */
  @Test
  void layoutNeverChanges() {
    assertThat(bytes(ValueType.of(int.class), -2)).hasToString("03");
    assertThat(bytes(ValueType.of(Integer.class), 150)).hasToString("01ac02");
    assertThat(bytes(ValueType.of(Integer.class), null)).hasToString("00");
    assertThat(bytes(ValueType.of(boolean.class), true)).hasToString("01");
    assertThat(bytes(ValueType.of(char.class), 'A')).hasToString("8201");
    assertThat(bytes(ValueType.of(float.class), 1.5f)).hasToString("3fc00000");
    assertThat(bytes(ValueType.of(double.class), Double.NaN)).hasToString("7ff8000000000000");
    assertThat(bytes(ValueType.of(String.class), "tea")).hasToString("0103746561");
    assertThat(bytes(ValueType.of(byte[].class), new byte[] {9, 8})).hasToString("01020908");
    assertThat(bytes(ValueType.of(DayOfWeek.class), DayOfWeek.MONDAY))
        .hasToString("01064d4f4e444159");
    assertThat(bytes(ValueType.of(Line.class), line()))
        .hasToString("01039131b8100497a196333ff8000000000000a2f6a79403746561");
    assertThat(bytes(ValueType.of(Tree.class), new Tree(null, null, 1)))
        .hasToString("0101e52d816002");
  }

  @Test
  void equalityOfFloatingPointIsThatOfTheBoxedTypes() {
    ValueType<Double> doubles = ValueType.of(double.class);
    double otherNaN = Double.longBitsToDouble(0x7ff8000000000001L);

    assertThat(doubles.hash(otherNaN)).isEqualTo(doubles.hash(Double.NaN));
    assertThat(bytes(doubles, otherNaN)).isEqualTo(bytes(doubles, Double.NaN));
    assertThat(doubles.hash(0d)).isNotEqualTo(doubles.hash(-0d));
    ValueType<Float> floats = ValueType.of(Float.class);
    float otherNaNf = Float.intBitsToFloat(0x7fc00001);
    assertThat(floats.hash(otherNaNf)).isEqualTo(floats.hash(Float.NaN));
    assertThat(floats.hash(0f)).isNotEqualTo(floats.hash(-0f));
  }

  @Test
  void hashesOfRecordsAndEnumsNeverChange() {
    assertThat(ValueType.of(Line.class).hash(line())).isEqualTo(-609455175);
    assertThat(ValueType.of(TimeUnit.class).hash(TimeUnit.DAYS)).isEqualTo(StableHash.of("DAYS"));
    assertThat(ValueType.of(Tree.class).hash(new Tree(null, null, 1))).isEqualTo(370409146);
  }

  @Test
  void onlyWhatIsMutableIsCopied() {
    Everything immutable = randomEverything(new Random(1));
    Tree tree = randomTree(new Random(1), 8);
    assertThat(ValueType.of(Everything.class).copy(immutable)).isSameAs(immutable);
    assertThat(ValueType.of(Tree.class).copy(tree)).isSameAs(tree);

    Blob blob = new Blob("b", new byte[] {1});
    Blob copy = ValueType.of(Blob.class).copy(blob);
    blob.content()[0] = 9;
    assertThat(copy.content()).containsExactly(1);
    Ping ping = new Ping(new Pong(null, new byte[] {1}));
    assertThat(ValueType.of(Ping.class).copy(ping)).isNotSameAs(ping);
  }

  @Test
  void whatHoldsBytesIsNoKey() {
    assertThat(ValueType.of(Everything.class).hasContentEquality()).isTrue();
    assertThat(ValueType.of(Tree.class).hasContentEquality()).isTrue();
    assertThat(ValueType.of(byte[].class).hasContentEquality()).isFalse();
    assertThat(ValueType.of(Ping.class).hasContentEquality()).isFalse();
    assertThat(ValueType.of(Pong.class).hasContentEquality()).isFalse();
  }

  @Test
  void recordsNestedTooDeepAreRefusedOnEveryWay() {
    ValueType<Tree> type = ValueType.of(Tree.class);
    Tree deepest = chain(ValueFormat.NESTING_MAX);
    roundTrips(Tree.class, deepest);
    Tree tooDeep = chain(ValueFormat.NESTING_MAX + 1);

    assertThatThrownBy(() -> bytes(type, tooDeep))
        .isInstanceOf(TooLargeException.class)
        .hasMessageContaining(Tree.class.getName())
        .hasMessageContaining("64 records");
    assertThatThrownBy(() -> type.copy(tooDeep)).isInstanceOf(TooLargeException.class);
    assertThatThrownBy(() -> type.hash(tooDeep)).isInstanceOf(TooLargeException.class);
    assertThatThrownBy(() -> read(type, chainBytes(100_000)))
        .isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> read(ValueType.of(Empty.class), chainBytes(100_000)))
        .isInstanceOf(MalformedException.class);
  }

  @Test
  void nullIsRefusedOnlyWhereItCannotBe() {
    assertThatThrownBy(() -> bytes(ValueType.of(int.class), null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("int");
  }

  @Test
  void unsupportedTypesAreNamedWithWhereTheyAreAndWhatCanBeDeclared() {
    assertThatThrownBy(() -> ValueType.of(Holder.class))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("java.lang.Iterable")
        .hasMessageContaining("Holder.inner.tags")
        .hasMessageContaining("declare a primitive");
    assertThatThrownBy(() -> ValueType.of(Visit.class))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining(Session.class.getName())
        .hasMessageContaining("Visit.session")
        .hasMessageContaining("add tempest-cbor");
    assertThatThrownBy(() -> ValueType.of(List.class)).hasMessageContaining("java.util.List");
    assertThatThrownBy(() -> ValueType.of(Object.class)).hasMessageContaining("java.lang.Object");
    assertThatThrownBy(() -> ValueType.of(void.class)).hasMessageContaining("void");
    assertThatThrownBy(() -> ValueType.of(Record.class)).hasMessageContaining("java.lang.Record");
    assertThatThrownBy(() -> ValueType.of(Enum.class)).hasMessageContaining("java.lang.Enum");
  }

  @Test
  void aConstructorThatRefusesBytesMakesThemMalformed() {
    ByteWriter writer = new ByteWriter(100);
    writer.writeBoolean(true);
    writer.writeByte(1);
    writer.writeInt(Kind.INTEGRAL.tag("value"));
    writer.writeZigzag(-5);

    assertThatThrownBy(() -> read(ValueType.of(Positive.class), writer.toBytes()))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("Positive")
        .hasMessageContaining("not positive: -5");
  }

  /** Whose accessor says something else than it holds. */
  record Boasting(int value) {
    @Override
    public int value() {
      return value + 1;
    }
  }

  @Test
  void anOverriddenAccessorChangesNothing() {
    ValueType<Boasting> type = ValueType.of(Boasting.class);
    Boasting read = read(type, bytes(type, new Boasting(1)));
    assertThat(read).isEqualTo(new Boasting(1));
    assertThat(read(type, bytes(type, type.copy(new Boasting(1))))).isEqualTo(new Boasting(1));
    assertThat(type.hash(new Boasting(1))).isNotEqualTo(type.hash(new Boasting(2)));
  }

  @Test
  void aConstructorThatFailsMakesBytesMalformed() {
    for (int failure = 1; failure <= 4; failure++) {
      ByteWriter writer = new ByteWriter(100);
      writer.writeBoolean(true);
      writer.writeByte(1);
      writer.writeInt(Kind.INTEGRAL.tag("value"));
      writer.writeZigzag(failure);

      assertThatThrownBy(() -> read(ValueType.of(Failing.class), writer.toBytes()))
          .isInstanceOf(MalformedException.class)
          .hasMessageContaining("refused here");
    }
  }

  @Test
  void aNumberBeyondItsTypeIsMalformed() {
    Bytes large = bytes(ValueType.of(long.class), 1L << 40);
    assertThatThrownBy(() -> read(ValueType.of(int.class), large))
        .isInstanceOf(MalformedException.class)
        .hasMessage("1099511627776 is not a valid int");
    assertThatThrownBy(() -> read(ValueType.of(char.class), bytes(ValueType.of(int.class), -1)))
        .isInstanceOf(MalformedException.class);
  }

  @Test
  void anUnknownConstantIsMalformed() {
    Bytes unknown = bytes(ValueType.of(DayOfWeek.class), DayOfWeek.MONDAY);
    assertThatThrownBy(() -> read(ValueType.of(TimeUnit.class), unknown))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("TimeUnit has no constant MONDAY");
  }

  static Line line() {
    return new Line("tea", 2, 1.5);
  }

  static Everything randomEverything(Random random) {
    return new Everything(
        random.nextBoolean(),
        (byte) random.nextInt(),
        (short) random.nextInt(),
        (char) random.nextInt(),
        random.nextInt() >> random.nextInt(32),
        random.nextLong() >> random.nextInt(64),
        Float.intBitsToFloat(random.nextInt()),
        Double.longBitsToDouble(random.nextLong()),
        random.nextBoolean() ? null : ByteWriterReaderTest.randomString(random),
        random.nextBoolean() ? null : random.nextInt(),
        random.nextBoolean() ? null : UNITS.get(random.nextInt(UNITS.size())),
        random.nextBoolean() ? null : new Line("l" + random.nextInt(9), random.nextInt(), 1));
  }

  static Tree randomTree(Random random, int depth) {
    return new Tree(
        depth == 0 || random.nextInt(3) == 0 ? null : randomTree(random, depth - 1),
        depth == 0 || random.nextInt(3) == 0 ? null : randomTree(random, depth - 1),
        random.nextInt());
  }

  static <T> Bytes bytes(ValueType<T> type, @Nullable T value) {
    ByteWriter writer = new ByteWriter(1_000_000);
    type.write(value, writer);
    return writer.toBytes();
  }

  static <T> @Nullable T read(ValueType<T> type, Bytes bytes) {
    ByteReader reader = bytes.reader();
    T value = type.read(reader);
    reader.expectEnd();
    return value;
  }

  @SafeVarargs
  private static <T> void roundTrips(Class<T> declared, @Nullable T... values) {
    ValueType<T> type = ValueType.of(declared);
    assertThat(type.declared()).isSameAs(declared);
    for (T value : values) {
      T read = read(type, bytes(type, value));
      assertThat(read).isEqualTo(value);
      if (value != null && read != null) {
        assertThat(type.hash(read)).isEqualTo(type.hash(value));
        assertThat(type.copy(value)).isEqualTo(value);
      }
    }
  }

  private static Tree chain(int length) {
    Tree tree = new Tree(null, null, 0);
    for (int i = 1; i < length; i++) {
      tree = new Tree(tree, null, i);
    }
    return tree;
  }

  private static Bytes chainBytes(int length) {
    ByteWriter writer = new ByteWriter(1_000_000);
    writer.writeBoolean(true);
    for (int i = 0; i < length; i++) {
      writer.writeByte(1);
      writer.writeInt(Kind.RECORD.tag("left"));
    }
    return writer.toBytes();
  }

  /** One of every kind, for what has to hold for all. */
  static List<ValueType<?>> all() {
    List<ValueType<?>> all = new ArrayList<>();
    for (Class<?> declared :
        List.of(
            boolean.class,
            Byte.class,
            short.class,
            Character.class,
            int.class,
            Long.class,
            float.class,
            Double.class,
            String.class,
            byte[].class,
            TimeUnit.class,
            Line.class,
            Everything.class,
            Tree.class,
            Ping.class,
            Empty.class,
            Blob.class,
            Positive.class)) {
      all.add(ValueType.of(declared));
    }
    return all;
  }
}
