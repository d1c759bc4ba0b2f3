package dev.tempest.values.encoding;

import dev.tempest.values.TooLargeException;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueFormat;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * How values of one declared type are written, read, copied and hashed, the same in every JVM.
 *
 * <p>The declared type alone decides which classes can come out of bytes; bytes never choose one.
 * Immutable and thread-safe.
 *
 * <h2>Layout</h2>
 *
 * A value of a primitive type is its contents. Any other is a byte, 0 for null and 1 for a value
 * with its contents after it. Contents:
 *
 * <table>
 * <caption>Contents by kind</caption>
 * <tr><th>kind</th><th>of</th><th>contents</th></tr>
 * <tr><td>0</td><td>byte, short, char, int, long</td><td>zigzag varint</td></tr>
 * <tr><td>1</td><td>boolean</td><td>a byte, 0 or 1</td></tr>
 * <tr><td>2</td><td>float</td><td>4 bytes, IEEE 754, the canonical NaN only</td></tr>
 * <tr><td>3</td><td>double</td><td>8 bytes, IEEE 754, the canonical NaN only</td></tr>
 * <tr><td>4</td><td>String, enum</td><td>varint of the size and UTF-8 ({@link
 * ByteWriter#writeString}); of an enum the constant's name</td></tr>
 * <tr><td>5</td><td>byte[] and all others</td><td>varint of the size and as many bytes, see
 * below</td></tr>
 * <tr><td>6</td><td>record</td><td>a byte, the number of components that are not null, and for each
 * of those, by rising tags as unsigned numbers, a tag of 4 bytes and its contents</td></tr>
 * </table>
 *
 * A component's tag is the {@link StableHash#ofName} of its name with the lowest 4 bits replaced by
 * its kind. So a record can change while its values are stored or on their way: what is unknown to
 * the reader is passed over; what is missing becomes null, or is refused where the component is
 * primitive; components may change places, change between primitive and boxed, and between whole
 * numbers as long as the value fits. A component that is renamed is a removed and an added one. One
 * that changes its kind is refused: give it another name. Components are read from their fields,
 * whatever the accessors say, so a module has to open its records.
 *
 * <p>The bytes of kind 5, where numbers are varints, zigzag unless they cannot be negative:
 *
 * <table>
 * <caption>Bytes of kind 5</caption>
 * <tr><th>of</th><th>bytes</th></tr>
 * <tr><td>byte[]</td><td>the elements</td></tr>
 * <tr><td>UUID</td><td>16 bytes</td></tr>
 * <tr><td>BigInteger</td><td>two's complement, big endian, the fewest</td></tr>
 * <tr><td>BigDecimal</td><td>scale; the unscaled value as BigInteger</td></tr>
 * <tr><td>Instant, Duration</td><td>seconds; nanoseconds</td></tr>
 * <tr><td>LocalDate, LocalTime</td><td>day of the epoch; nanosecond of the day</td></tr>
 * <tr><td>LocalDateTime</td><td>the date and the time</td></tr>
 * <tr><td>OffsetDateTime</td><td>date, time, and seconds of the offset</td></tr>
 * <tr><td>ZonedDateTime</td><td>date, time, seconds of the offset, and the zone's id as
 * String</td></tr>
 * <tr><td>Year, Period</td><td>the year; years, months and days</td></tr>
 * <tr><td>YearMonth, MonthDay</td><td>the year, a byte of the month; a byte of each</td></tr>
 * <tr><td>ZoneId, ZoneOffset</td><td>the id as String</td></tr>
 * <tr><td>Optional</td><td>nothing, or contents</td></tr>
 * <tr><td>List, arrays of objects</td><td>the number of elements and the contents of each</td></tr>
 * <tr><td>Set</td><td>the same, by rising order</td></tr>
 * <tr><td>Map</td><td>the number of entries and the contents of each, key before value, by rising
 * order of the keys</td></tr>
 * <tr><td>arrays of primitives</td><td>the elements, big endian; a byte for a boolean</td></tr>
 * <tr><td>a sealed interface or abstract class</td><td>what {@link #any} writes of the
 * member</td></tr>
 * <tr><td>a class of a {@link ValueFormat}</td><td>what the format writes</td></tr>
 * </table>
 *
 * The order of sets and maps is the natural one for classes of the JDK, otherwise that of the
 * bytes, unsigned: so equal ones have equal bytes, and iterate alike on every node. Nothing within
 * a collection, an array or an Optional is null.
 *
 * <h2>Layout of any</h2>
 *
 * What {@link #any} writes starts with a byte, the tag: 0 is null; 1 to 15 are followed by
 * contents; 16 to 63 are followed by contents of kind 5; from 64 on come the name of the class as
 * {@link Class#getName} gives it, as String, and contents of kind 4 or 5, or a varint of the size
 * and contents of kind 6. So whoever does not know a tag from 16 on, or a name, can pass over the
 * value.
 *
 * <table>
 * <caption>Tags</caption>
 * <tr><th>from</th><th>classes</th></tr>
 * <tr><td>1</td><td>String, Integer, Long, Boolean, Double, Float, Short, Byte,
 * Character</td></tr>
 * <tr><td>16</td><td>byte[], UUID, BigInteger, BigDecimal, Instant, Duration, LocalDate, LocalTime,
 * LocalDateTime, OffsetDateTime, ZonedDateTime, Year, YearMonth, MonthDay, Period, ZoneId, Optional,
 * List, Set, Map; what the last four hold is written as {@code any} writes it</td></tr>
 * <tr><td>64</td><td>enum, record, array, class of a {@link ValueFormat}</td></tr>
 * </table>
 *
 * @param <T> the declared type
 */
public interface ValueType<T> {
  /**
   * The type of values declared as {@code declared}: a primitive, a built-in class of the layout
   * above, an array, an enum, a record or sealed interface of such types with their type arguments,
   * or a class that a {@link ValueFormat} supports.
   *
   * @throws UnsupportedTypeException naming the class and the component that cannot be a value
   */
  static <T> ValueType<T> of(Class<T> declared) {
    return Encoding.of(declared);
  }

  /**
   * As {@link #of(Class)} for a type with type arguments, such as {@code Map<String, List<Cart>>}.
   *
   * @throws UnsupportedTypeException as there
   */
  static ValueType<?> of(Type declared) {
    return Encoding.of(declared);
  }

  /**
   * The type of values of class {@code bound} or a subclass, as far as these are built in or
   * declared: by {@code bound} itself if it is a class or a sealed interface (with all that it
   * permits), by {@code declared}, or by being part of one of these. What it writes does not depend
   * on what is declared, so that programs which declare different things can share it.
   *
   * <p>{@link #read} gives an {@link Opaque} in place of a value that is of no declared class, or
   * does not fit the class any more. Only the method that gives a value to a user should refuse it.
   * An {@code Opaque} can be written, hashed and compared like any other value. Its {@link #copy}
   * is the value itself where it can be read, but would be written otherwise by this code, which
   * declares a record with other components for example.
   *
   * <p>Values of classes that are not declared are refused with {@link UnsupportedTypeException}.
   *
   * @throws UnsupportedTypeException naming the class and the component that cannot be a value
   */
  static <T> ValueType<T> any(Class<T> bound, Class<?>... declared) {
    return AnyType.of(bound, declared, false);
  }

  /**
   * Like {@link #any}, for keys and elements: refuses values without content equality, which are
   * arrays and what holds them, with {@link UnsupportedTypeException}.
   */
  static <T> ValueType<T> anyKey(Class<T> bound, Class<?>... declared) {
    return AnyType.of(bound, declared, true);
  }

  /**
   * As {@link #any} or {@link #anyKey}, whichever gave {@code other}, for values that are stored
   * beside those of {@code other}: what is declared for one is declared for both from now on. Call
   * it in one thread at a time; values may be written and read meanwhile.
   */
  static <T> ValueType<T> sharing(ValueType<?> other, Class<T> bound, Class<?>... declared) {
    return AnyType.sharing((AnyType<?>) other, bound, declared);
  }

  /**
   * The class of a name, if it is built in or one of the containers; else null. No class is loaded,
   * whoever says the name.
   */
  static @Nullable Class<?> named(String name) {
    for (Class<?> container : Containers.ALL) {
      if (container.getName().equals(name)) {
        return container;
      }
    }
    return BuiltIns.named(name);
  }

  /** The class as declared in code. */
  Class<T> declared();

  /**
   * Whether {@code equals} of the class compares contents: all but arrays, classes of a {@link
   * ValueFormat}, and what holds one, which therefore cannot be keys; and with {@link #any}, all
   * bounds that are not a single class.
   */
  boolean hasContentEquality();

  /**
   * Writes {@code value}; null where the declared type is not primitive.
   *
   * @throws TooLargeException if it exceeds the writer's limit or {@link ValueFormat#NESTING_MAX};
   *     the writer then holds a part of it
   */
  void write(@Nullable T value, ByteWriter writer);

  /**
   * Reads a value.
   *
   * @throws MalformedException if the bytes are no value of this type
   */
  @Nullable T read(ByteReader reader);

  /**
   * A value equal to {@code value} that shares nothing mutable with it: {@code value} itself where
   * it is immutable. Lists, sets and maps become unmodifiable ones, sets and maps in the order of
   * the layout.
   *
   * @throws NullPointerException if a collection or array within holds null
   * @throws ClassCastException if a collection within holds what it is not declared to
   * @throws TooLargeException if it exceeds {@link ValueFormat#NESTING_MAX}
   */
  T copy(T value);

  /**
   * What to store of {@code value} in place of {@code earlier}: an {@link Opaque} with the
   * components of the earlier one that this code does not declare, if both are records of one
   * class; else the value itself. Records within are treated alike, unless they are in a container.
   */
  default T over(T earlier, T value) {
    return value;
  }

  /** Whether {@code value} is of a class that values of this type are of. */
  default boolean isInstance(Object value) {
    return MethodType.methodType(declared()).wrap().returnType().isInstance(value);
  }

  /** Whether {@link #copy} gives every value of the class itself: all of them are immutable. */
  default boolean isShared() {
    return false;
  }

  /** Whether both have the same contents; no {@code equals} of users' classes is asked. */
  default boolean isSame(T left, T right) {
    return hasContentEquality() ? left.equals(right) : EncodedOrder.compare(this, left, right) == 0;
  }

  /** Whether the class has a natural order, as {@link Comparable} or primitive. */
  default boolean isOrdered() {
    return declared().isPrimitive() || Comparable.class.isAssignableFrom(declared());
  }

  /**
   * Compares two values: 0 only for those with the same contents. Where the class is {@link
   * Comparable}, its natural order, and what {@code compareTo} throws; values that this holds for
   * equal though they differ are ordered by their bytes, as are those of all other classes.
   */
  default int compare(T left, T right) {
    return isOrdered()
        ? EncodedOrder.natural(this, left, right)
        : EncodedOrder.compare(this, left, right);
  }

  /** Whether {@link #compare} runs code of users, which may fail: the class is theirs. */
  default boolean isOrderedByUsers() {
    return false;
  }

  /**
   * A total order that is the same in every JVM and runs no code of users; 0 only for values with
   * the same contents.
   */
  default int compareContents(T left, T right) {
    return EncodedOrder.compare(this, left, right);
  }

  /** {@link #mostBytes} of what takes as much, or of which that cannot be known. */
  long LARGE_BYTES = 4 << 20;

  /**
   * What a value takes at most when it is written, found out from lengths alone, up to {@link
   * #LARGE_BYTES}: that much says nothing.
   */
  default long mostBytes(T value) {
    return LARGE_BYTES;
  }

  /**
   * A hash of the contents: equal values have equal hashes in every JVM and Java version. The
   * {@code equals} of a record has to be the one that the language gives it.
   *
   * @throws TooLargeException if it exceeds {@link ValueFormat#NESTING_MAX}
   */
  int hash(T value);
}
