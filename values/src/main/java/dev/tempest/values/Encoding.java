package dev.tempest.values;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** What all value types share: null in front of the contents, and the depth within records. */
abstract class Encoding<T> implements ValueType<T> {
  private static final ClassValue<Encoding<?>> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected Encoding<?> computeValue(Class<?> declared) {
          return new Resolver().resolve(declared, declared.getSimpleName());
        }
      };

  private final Class<T> declared;
  private final Kind kind;

  Encoding(Class<T> declared, Kind kind) {
    this.declared = declared;
    this.kind = kind;
  }

  @SuppressWarnings("unchecked") // The class value maps a class to the encoding declared with it.
  static <T> Encoding<T> of(Class<T> declared) {
    return (Encoding<T>) BY_CLASS.get(declared);
  }

  /** Writes what follows the sign that there is a value. */
  abstract void writeContents(T value, ByteWriter writer, int depth);

  /** Reads what {@link #writeContents} wrote. */
  abstract T readContents(ByteReader reader, int depth);

  abstract int hash(T value, int depth);

  /** Overridden where values are mutable, or can be nested without end. */
  T copy(T value, int depth) {
    return value;
  }

  /** Whether {@link #copy} has anything to do. */
  boolean needsCopy() {
    return false;
  }

  final Kind kind() {
    return kind;
  }

  @Override
  public final Class<T> declared() {
    return declared;
  }

  @Override
  public boolean hasContentEquality() {
    return true;
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

  /** Finds the encodings of one declared type and of all that it is made of. */
  static final class Resolver {
    /** Those begun, not all finished: a record may contain itself. */
    private final LinkedHashMap<Class<?>, Encoding<?>> records = new LinkedHashMap<>();

    /**
     * The encoding of a class.
     *
     * @param path where it was found, for errors: {@code Order.customer.name}
     */
    Encoding<?> resolve(Class<?> declared, String path) {
      Encoding<?> scalar = Scalars.find(declared);
      if (scalar != null) {
        return scalar;
      }
      if (declared.isEnum()) {
        return new EnumEncoding<>(declared);
      }
      if (declared.isRecord()) {
        Encoding<?> begun = records.get(declared);
        return begun == null ? resolveRecord(declared, path) : begun;
      }
      throw new UnsupportedTypeException(
          declared.getTypeName()
              + " cannot be a value (found at "
              + path
              + "): declare a primitive, a boxed primitive, String, byte[], an enum, or a record of"
              + " these");
    }

    private Encoding<?> resolveRecord(Class<?> declared, String path) {
      RecordEncoding<?> encoding = new RecordEncoding<>(declared, path);
      records.put(declared, encoding);
      encoding.link(this, path);
      return encoding;
    }
  }
}
