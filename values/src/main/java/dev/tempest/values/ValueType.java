package dev.tempest.values;

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
 * <tr><td>5</td><td>byte[]</td><td>varint of the size and the bytes</td></tr>
 * <tr><td>6</td><td>record</td><td>a byte, the number of components that are not null, and for each
 * of those, as declared, a tag of 4 bytes and its contents</td></tr>
 * </table>
 *
 * A component's tag is the {@link StableHash} of its name with the lowest 4 bits replaced by its
 * kind. So a record can change while its values are stored or on their way: what is unknown to the
 * reader is passed over; what is missing becomes null, or is refused where the component is
 * primitive; components may be declared in another order, change between primitive and boxed, and
 * between whole numbers as long as the value fits. A component that is renamed, or changes its
 * kind, is a removed and an added one.
 *
 * @param <T> the declared type
 */
public interface ValueType<T> {
  /** How deep records may lie within records: a value nested deeper is refused. */
  int NESTING_MAX = 64;

  /**
   * The type of values declared as {@code declared}: a primitive, String, boxed primitive, {@code
   * byte[]}, enum, or a record of such types.
   *
   * @throws UnsupportedTypeException naming the class and the component that cannot be a value
   */
  static <T> ValueType<T> of(Class<T> declared) {
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

  /** The class as declared in code. */
  Class<T> declared();

  /**
   * Whether {@code equals} of the class compares contents: all but {@code byte[]}, and records that
   * hold one, which therefore cannot be keys.
   */
  boolean hasContentEquality();

  /**
   * Writes {@code value}; null where the declared type is not primitive.
   *
   * @throws TooLargeException if it exceeds the writer's limit or {@link #NESTING_MAX}; the writer
   *     then holds a part of it
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
   * it is immutable.
   *
   * @throws TooLargeException if it exceeds {@link #NESTING_MAX}
   */
  T copy(T value);

  /** Whether both have the same contents. */
  default boolean isSame(T left, T right) {
    return hasContentEquality() ? left.equals(right) : EncodedOrder.compare(this, left, right) == 0;
  }

  /** Whether the class has a natural order, as {@link Comparable} or primitive. */
  default boolean isOrdered() {
    return declared().isPrimitive() || Comparable.class.isAssignableFrom(declared());
  }

  /**
   * Compares two values: a total order that is the same in every JVM, and 0 only for equal ones.
   * Where the class is {@link Comparable}, its natural order; values that this holds for equal
   * though they are not, or fails to compare, are ordered by their bytes, as are those of all other
   * classes.
   */
  default int compare(T left, T right) {
    return isOrdered()
        ? EncodedOrder.natural(this, left, right)
        : EncodedOrder.compare(this, left, right);
  }

  /**
   * A hash of the contents: equal values have equal hashes in every JVM and Java version. The
   * {@code equals} of a record has to be the one that the language gives it.
   *
   * @throws TooLargeException if it exceeds {@link #NESTING_MAX}
   */
  int hash(T value);
}
