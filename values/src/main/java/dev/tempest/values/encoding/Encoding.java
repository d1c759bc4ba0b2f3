package dev.tempest.values.encoding;

import dev.tempest.values.TooLargeException;
import dev.tempest.values.ValueFormat;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all value types share: null in front of the contents, and the depth within others. */
abstract class Encoding<T> implements ValueType<T> {
  /** The most bytes that a number takes, such as that of elements. */
  static final long NUMBER_BYTES = 10;

  private final Class<T> declared;
  private final Kind kind;
  private final Class<?> boxed;
  private final boolean isOrdered;

  /** Found out when it is first asked for, as encodings may contain each other. */
  private @Nullable Boolean hasContentEquality;

  /** The same: whether {@code equals} runs no code of users. */
  private @Nullable Boolean hasEqualityOfTheJdk;

  Encoding(Class<T> declared, Kind kind) {
    this.declared = declared;
    this.kind = kind;
    this.boxed = MethodType.methodType(declared).wrap().returnType();
    this.isOrdered = Comparable.class.isAssignableFrom(boxed);
  }

  /** A value within a value: where it lies, for errors, and how it is encoded. */
  record Part(String label, Encoding<?> encoding) {}

  /** Found anew each time: what a class keeps would keep whoever loaded this code. */
  @SuppressWarnings("unchecked") // A class is resolved to the encoding declared with it.
  static <T> Encoding<T> of(Class<T> declared) {
    return (Encoding<T>) new Resolver().resolve(declared, declared.getSimpleName());
  }

  static Encoding<?> of(Type declared) {
    return declared instanceof Class<?> plain
        ? of(plain)
        : new Resolver().resolve(declared, new LinkedHashMap<>(), declared.getTypeName());
  }

  /** Writes what follows the sign that there is a value. */
  abstract void writeContents(T value, ByteWriter writer, int depth);

  /** Reads what {@link #writeContents} wrote. */
  abstract T readContents(ByteReader reader, int depth);

  /** The hash of the contents: {@link Kind#hash} finds the same in their bytes. */
  abstract int hash(T value, int depth);

  /**
   * As many bytes as {@link #writeContents} writes, or more; found out without writing, and given
   * up with {@link #LARGE_BYTES} where it is as much, or cannot be known. Throws as that does.
   */
  long mostBytes(T value, int depth) {
    return LARGE_BYTES;
  }

  /** {@link #mostBytes} of a text: three for each char, whatever it is. */
  static long mostTextBytes(String text) {
    return NUMBER_BYTES + 3L * text.length();
  }

  /** Overridden where values are mutable, or can be nested without end. */
  T copy(T value, int depth) {
    return value;
  }

  /** Whether {@link #copy} has anything to do, or to check. */
  boolean needsCopy() {
    return false;
  }

  /** Whether {@link #copy} has anything to do with {@code value}, which is such a copy itself. */
  boolean needsCopy(T value) {
    return needsCopy();
  }

  /** The values that one of this type is made of. */
  List<Part> parts() {
    return List.of();
  }

  /** Whether {@code equals} of the class itself, apart from its parts, compares contents. */
  boolean isEqualByContents() {
    return true;
  }

  /**
   * A total order that runs no code of users: the one in which sets and maps are written. Natural
   * for classes of the JDK, otherwise that of the bytes.
   */
  @Override
  public int compareContents(T left, T right) {
    return isOrdered && boxed.getName().startsWith("java.")
        ? EncodedOrder.natural(this, left, right)
        : EncodedOrder.compare(this, left, right);
  }

  @Override
  public final boolean isOrderedByUsers() {
    return isOrdered && !boxed.getName().startsWith("java.") && !(this instanceof EnumEncoding);
  }

  final Kind kind() {
    return kind;
  }

  @Override
  public final boolean isInstance(Object value) {
    return boxed.isInstance(value);
  }

  @Override
  public final boolean isShared() {
    return !needsCopy();
  }

  @Override
  public final Class<T> declared() {
    return declared;
  }

  @Override
  public final boolean hasContentEquality() {
    Boolean known = hasContentEquality;
    if (known == null) {
      known = ContentEquality.pathToArray(this) == null;
      hasContentEquality = known;
    }
    return known;
  }

  /** By contents, whatever the {@code equals} of a user's class says. */
  @Override
  public boolean isSame(T left, T right) {
    return hasEqualityOfTheJdk()
        ? left.equals(right)
        : EncodedOrder.compare(this, left, right) == 0;
  }

  final boolean hasEqualityOfTheJdk() {
    Boolean known = hasEqualityOfTheJdk;
    if (known == null) {
      known = !ContentEquality.asksUsers(this);
      hasEqualityOfTheJdk = known;
    }
    return known;
  }

  @Override
  public final boolean isOrdered() {
    return isOrdered;
  }

  @Override
  public final void write(@Nullable T value, ByteWriter writer) {
    if (value == null) {
      if (declared.isPrimitive()) {
        throw new NullPointerException("null where " + declared + " is declared");
      }
      writer.writeBoolean(false);
      return;
    }
    if (!declared.isPrimitive()) {
      writer.writeBoolean(true);
    }
    writeContents(value, writer, 0);
  }

  @Override
  public final long mostBytes(T value) {
    return Math.min(mostBytes(value, 0), LARGE_BYTES);
  }

  @Override
  public final @Nullable T read(ByteReader reader) {
    return declared.isPrimitive() || reader.readBoolean() ? readContents(reader, 0) : null;
  }

  @Override
  public final T copy(T value) {
    return copy(value, 0);
  }

  @Override
  public final int hash(T value) {
    return hash(value, 0);
  }

  @Override
  public final String toString() {
    return "ValueType[" + declared.getTypeName() + "]";
  }

  final void checkDepth(int depth) {
    if (depth >= ValueFormat.NESTING_MAX) {
      throw new TooLargeException(
          declared.getName()
              + " nested deeper than "
              + ValueFormat.NESTING_MAX
              + " records or collections: keep long chains in a collection");
    }
  }
}
