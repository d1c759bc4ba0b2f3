package dev.tempest.state;

import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.MalformedException;
import dev.tempest.values.ValueType;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The type of what a state object holds: checks on the way in, copies on the way in and out, so
 * that what is stored cannot be changed from outside. Never null. Immutable and thread-safe.
 */
final class StoredType<T> {
  private final ValueType<T> type;
  private final Class<T> boxed;

  private StoredType(ValueType<T> type) {
    this.type = type;
    this.boxed = boxed(type.declared());
  }

  static <T> StoredType<T> of(ValueType<T> type) {
    return new StoredType<>(type);
  }

  /** The type of values declared as {@code declared}. */
  static <T> StoredType<T> of(Class<T> declared) {
    @SuppressWarnings("unchecked") // int.class is a Class<Integer>.
    Class<T> unboxed = (Class<T>) MethodType.methodType(declared).unwrap().returnType();
    return new StoredType<>(ValueType.of(unboxed)); // Without the byte that says null or not.
  }

  /** The type of keys declared as {@code declared}. */
  static <T> StoredType<T> ofKeys(Class<T> declared) {
    StoredType<T> keys = of(declared);
    if (!keys.type.hasContentEquality()) {
      throw new IllegalArgumentException(
          declared.getTypeName()
              + " cannot be a key or element: arrays have no equality of contents; declare a String"
              + " or a record without arrays");
    }
    return keys;
  }

  ValueType<T> type() {
    return type;
  }

  /** What to store of a caller's value. */
  T in(T value) {
    Objects.requireNonNull(value, "null cannot be stored");
    if (!boxed.isInstance(value)) { // Possible through raw types only.
      throw new ClassCastException("a " + value.getClass().getName() + " is no " + boxed.getName());
    }
    return type.copy(value);
  }

  /** What to give to a caller of a stored value. */
  T out(T stored) {
    return type.copy(stored);
  }

  /** {@code value} as this type for a look-up; null if it is of another one. */
  @SuppressWarnings("unchecked") // It is an instance of the boxed class.
  @Nullable T asQuery(Object value) {
    return boxed.isInstance(Objects.requireNonNull(value)) ? (T) value : null;
  }

  /** True only if both have the same contents; may say false where finding out takes long. */
  boolean isKnownSame(T left, T right) {
    return type.hasContentEquality() && left.equals(right);
  }

  /** True if both have the same contents. */
  boolean isSame(T left, T right) {
    return type.hasContentEquality() ? left.equals(right) : isEncodedSame(left, right);
  }

  void write(T value, ByteWriter writer) {
    type.write(value, writer);
  }

  T read(ByteReader reader) {
    T value = type.read(reader);
    if (value == null) {
      throw new MalformedException("null where a " + boxed.getName() + " is stored");
    }
    return value;
  }

  int hash(T value) {
    return type.hash(value);
  }

  @Override
  public String toString() {
    return boxed.getName();
  }

  private boolean isEncodedSame(T left, T right) {
    ByteWriter leftBytes = new ByteWriter(Integer.MAX_VALUE);
    ByteWriter rightBytes = new ByteWriter(Integer.MAX_VALUE);
    type.write(left, leftBytes);
    type.write(right, rightBytes);
    return Arrays.equals(
        leftBytes.array(), 0, leftBytes.size(), rightBytes.array(), 0, rightBytes.size());
  }

  @SuppressWarnings("unchecked") // Integer.class is a Class<Integer> like int.class.
  private static <T> Class<T> boxed(Class<T> declared) {
    return (Class<T>) MethodType.methodType(declared).wrap().returnType();
  }
}
