package dev.tempest.values;

import org.jspecify.annotations.Nullable;

/**
 * How values of one declared type are written, read, copied and hashed, the same in every JVM.
 *
 * <p>The declared type alone decides which classes can come out of bytes; bytes never choose one.
 * Immutable and thread-safe.
 *
 * @param <T> the declared type
 */
public interface ValueType<T> {
  /**
   * The type of values declared as {@code declared}: a primitive, String, boxed primitive, {@code
   * byte[]}, enum, or a record of such types.
   *
   * @throws UnsupportedTypeException naming the class and the component that cannot be a value
   */
  static <T> ValueType<T> of(Class<T> declared) {
    throw new UnsupportedOperationException("built by the helper who owns values: " + declared);
  }

  /** The class as declared in code. */
  Class<T> declared();

  /** Writes {@code value}; null where the declared type is not primitive. */
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
   */
  T copy(T value);

  /** A hash of the contents: equal values have equal hashes in every JVM and Java version. */
  int hash(T value);
}
