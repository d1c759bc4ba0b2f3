package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.encoding.ValueTypeTest.Blob;
import dev.tempest.values.encoding.ValueTypeTest.Line;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values that carry their class with them, and what becomes of those that nobody here declares. */
class AnyTypeTest {
  sealed interface Payment permits Card, Cash, Later {}

  record Card(String number) implements Payment {}

  enum Cash implements Payment {
    COINS,
    NOTES {
      @Override
      public String toString() {
        return "a constant with a body";
      }
    }
  }

  sealed interface Later extends Payment {}

  /** The class is abstract, and sealed, as the compiler makes it. */
  enum Operation {
    DOUBLE {
      @Override
      int of(int number) {
        return 2 * number;
      }
    };

    abstract int of(int number);
  }

  record Invoice(Line line) implements Later {}

  record Paid(int order, Payment payment) {}

  private final ValueType<Object> plain = ValueType.any(Object.class);
  private final ValueType<Object> declared =
      ValueType.any(Object.class, Line.class, TimeUnit.class, Blob.class, Payment.class);

  @Test
  void anEnumWhoseConstantsHaveBodiesIsLikeAnyOther() {
    ValueType<Operation> type = ValueType.anyKey(Operation.class);
    assertThat(type.read(bytes(type, Operation.DOUBLE).reader())).isSameAs(Operation.DOUBLE);
    assertThat(type.hasContentEquality()).isTrue();
    ValueType<Object> any = ValueType.any(Object.class, Operation.class);
    assertThat(bytes(any, Operation.DOUBLE)).isEqualTo(bytes(type, Operation.DOUBLE));
  }

  /** Pinned: all nodes of a cluster, of whatever version, agree on these. */
  @Test
  void layoutNeverChanges() {
    assertThat(bytes(plain, null)).hasToString("00");
    assertThat(bytes(plain, "tea")).hasToString("0103746561");
    assertThat(bytes(plain, 150)).hasToString("02ac02");
    assertThat(bytes(plain, 150L)).hasToString("03ac02");
    assertThat(bytes(plain, true)).hasToString("0401");
    assertThat(bytes(plain, 1.5d)).hasToString("053ff8000000000000");
    assertThat(bytes(plain, 1.5f)).hasToString("063fc00000");
    assertThat(bytes(plain, (short) -2)).hasToString("0703");
    assertThat(bytes(plain, (byte) -2)).hasToString("0803");
    assertThat(bytes(plain, 'A')).hasToString("098201");
    assertThat(bytes(plain, new byte[] {9, 8})).hasToString("10020908");
    assertThat(hex(bytes(declared, TimeUnit.DAYS).toArray()))
        .isEqualTo("401d" + hex("java.util.concurrent.TimeUnit") + "04" + hex("DAYS"));
    assertThat(hex(bytes(declared, ValueTypeTest.line()).toArray()))
        .isEqualTo(
            "412e"
                + hex(Line.class.getName())
                + "1a039131b8100497a196333ff8000000000000a2f6a79403746561");
  }

  @Test
  void whatIsDeclaredComesBackAsItsClass() {
    for (Object value :
        List.of(
            "tea",
            1,
            1L,
            true,
            2d,
            2f,
            (short) 3,
            (byte) 4,
            'c',
            ValueTypeTest.line(),
            TimeUnit.DAYS,
            Cash.NOTES,
            new Card("4711"),
            new Invoice(ValueTypeTest.line()))) {
      Object read = readAny(declared, bytes(declared, value));
      assertThat(read).isEqualTo(value).hasSameClassAs(value);
      assertThat(declared.hash(value)).isEqualTo(declared.hash(read));
      assertThat(declared.isSame(value, read)).isTrue();
      assertThat(declared.compare(value, read)).isZero();
      assertThat(declared.copy(value)).isSameAs(value);
    }
  }

  @Test
  void whatIsNotDeclaredIsKeptAsItsBytes() {
    for (Object value : List.of(ValueTypeTest.line(), TimeUnit.DAYS, new Card("4711"))) {
      Bytes bytes = bytes(declared, value);
      Opaque opaque = readOpaque(plain, bytes);

      assertThat(opaque).isEqualTo(readOpaque(plain, bytes));
      assertThat(opaque.className()).isEqualTo(value.getClass().getName());
      assertThat(opaque.reason()).contains(value.getClass().getName(), "not declared");
      assertThat(bytes(plain, opaque)).isEqualTo(bytes);
      assertThat(plain.hash(opaque)).as("same place in every trie").isEqualTo(declared.hash(value));
      assertThat(plain.copy(opaque)).isSameAs(opaque);
    }
  }

  @Test
  void aValueOfAnotherClassThanTheBoundIsOpaque() {
    ValueType<Line> lines = ValueType.any(Line.class);
    Opaque read = readOpaque(lines, bytes(plain, "tea"));

    assertThat(read.reason())
        .isEqualTo("a java.lang.String where " + Line.class.getName() + " is declared");
    assertThat(read.hashCode()).isEqualTo(plain.hash("tea"));
  }

  @Test
  void whatIsNotDeclaredIsRefusedOnTheWayIn() {
    assertThatThrownBy(() -> plain.copy(ValueTypeTest.line()))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("ValueTypeTest$Line is not declared: name the class where");
    assertThatThrownBy(() -> bytes(plain, new BitSet()))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("java.util.BitSet is not declared");
    assertThatThrownBy(() -> ValueType.any(ArrayList.class))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("declare java.util.List");
  }

  @Test
  void whatNoValueCanBeOfIsRefusedWhenItIsDeclared() {
    assertRefused(Supplier.class, "java.util.function.Supplier is an interface: add the classes");
    assertRefused(
        Map.Entry.class, "java.util.Map$Entry is an interface: add the classes that impl");
    assertRefused(Calendar.class, "java.util.Calendar is abstract: add the classes that extend it");
    assertRefused(SortedSet.class, "java.util.SortedSet cannot be a value: declare java.util.Set");
    assertThat(ValueType.any(Number.class).isInstance(1L)).isTrue();
    assertThat(ValueType.any(Supplier.class, Given.class).isInstance(new Given(1))).isTrue();
  }

  @Test
  void genericRecordsAreRefusedUnlessTheirTypeArgumentsAreDeclared() {
    assertRefused(Pair.class, Pair.class.getName() + " is a generic record (found at Pair)");
    assertRefused(
        RawPair.class, "is a generic record (found at RawPair.pair.a), and its class does");
    assertRefused(Marker.class, "declare a record without type parameters that has this one");
    assertRefused(Object.class, "is a generic record (found at Pair)", Pair.class);
    ValueType<Named> type = ValueType.any(Named.class);
    Named named = new Named(new Pair<>("a", 1));
    assertThat(readAny(type, bytes(type, named))).isEqualTo(named);
  }

  record Pair<A, B>(A a, B b) {}

  @SuppressWarnings("rawtypes") // What is refused.
  record RawPair(Pair pair) {}

  @SuppressWarnings("UnusedTypeParameter") // What is refused.
  record Marker<A>(int number) {}

  record Named(Pair<String, Integer> pair) {}

  record Given(Integer get) implements Supplier<Integer> {
    @Override
    public Integer get() {
      return get;
    }
  }

  private static void assertRefused(Class<?> bound, String message, Class<?>... declared) {
    assertThatThrownBy(() -> ValueType.any(bound, declared))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining(message);
  }

  /** So that a look-up finds nothing, as in any map, where a value would be refused. */
  @Test
  void whatCannotBeAValueIsNoInstance() {
    assertThat(declared.isInstance("tea")).isTrue();
    assertThat(declared.isInstance(TimeUnit.DAYS)).isTrue();
    assertThat(declared.isInstance(List.of())).isTrue();
    assertThat(declared.isInstance(new BitSet())).isFalse();
    assertThat(plain.isInstance(TimeUnit.DAYS)).isFalse();
    assertThat(ValueType.any(int.class).isInstance(1)).isTrue();
    assertThat(ValueType.any(int.class).isInstance(1L)).isFalse();
    assertThat(ValueType.of(int.class).isInstance(1)).isTrue();
  }

  @Test
  void aComponentMayBeOneOfASealedFamily() {
    ValueType<Paid> type = ValueType.of(Paid.class);
    for (Payment payment : List.of(new Card("1"), Cash.NOTES, new Invoice(ValueTypeTest.line()))) {
      Paid paid = new Paid(1, payment);
      assertThat(ValueTypeTest.read(type, ValueTypeTest.bytes(type, paid))).isEqualTo(paid);
      assertThat(type.copy(paid)).isSameAs(paid);
    }
    assertThat(ValueType.anyKey(Payment.class).hasContentEquality()).isTrue();
  }

  @Test
  void arraysOfAFamilyAreValuesWhereTheyAreDeclared() {
    ValueType<Payment[]> type = ValueType.any(Payment[].class);
    Payment[] payments = {new Card("1"), Cash.COINS};
    assertThat(readAny(type, bytes(type, payments))).isEqualTo(payments);
  }

  @Test
  void arraysAreNoKeys() {
    ValueType<Object> keys = ValueType.anyKey(Object.class, Blob.class);
    assertThat(keys.hasContentEquality()).isTrue();
    assertThatThrownBy(() -> keys.copy(new byte[0]))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("byte[] cannot be a key");
    assertThatThrownBy(() -> keys.copy(new Blob("b", new byte[0])))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("Blob.content");
    assertThatThrownBy(() -> ValueType.anyKey(Blob.class))
        .isInstanceOf(UnsupportedTypeException.class);
    assertThat(readAny(keys, bytes(plain, new byte[0]))).isInstanceOf(Opaque.class);
  }

  @Test
  void theOrderIsNaturalWithinAClass() {
    Object[] values = {
      DayOfWeek.SUNDAY, "b", 2L, DayOfWeek.MONDAY, -1, "a", 10, 1L, new Card("b"), new Card("a")
    };
    ValueType<Object> days = ValueType.any(Object.class, DayOfWeek.class, Card.class);
    Arrays.sort(values, days::compare);
    assertThat(values)
        .containsExactly(
            "a",
            "b",
            -1,
            10,
            1L,
            2L,
            DayOfWeek.MONDAY,
            DayOfWeek.SUNDAY,
            new Card("a"),
            new Card("b"));
    assertThat(ValueType.any(String.class).isOrdered()).isTrue();
    assertThat(ValueType.any(Card.class).isOrdered()).isFalse();
  }

  static <T> Bytes bytes(ValueType<T> type, @Nullable T value) {
    return ValueTypeTest.bytes(type, value);
  }

  /** What was read, as the Object that it is: an {@link Opaque} is no T. */
  @SuppressWarnings("unchecked")
  static Object readAny(ValueType<?> type, Bytes bytes) {
    return Objects.requireNonNull(ValueTypeTest.read((ValueType<Object>) type, bytes));
  }

  static Opaque readOpaque(ValueType<?> type, Bytes bytes) {
    assertThat(readAny(type, bytes)).isInstanceOf(Opaque.class);
    return (Opaque) readAny(type, bytes);
  }

  private static String hex(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
