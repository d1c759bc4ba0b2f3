package dev.tempest.values.encoding;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** The encodings of everything that is not made of other values, enums excepted. */
final class Scalars {
  static final List<Encoding<?>> ALL =
      List.of(
          new Text(),
          new Binary(),
          new Flag(boolean.class),
          new Flag(Boolean.class),
          bytes(byte.class),
          bytes(Byte.class),
          shorts(short.class),
          shorts(Short.class),
          chars(char.class),
          chars(Character.class),
          ints(int.class),
          ints(Integer.class),
          longs(long.class),
          longs(Long.class),
          new SinglePrecision(float.class),
          new SinglePrecision(Float.class),
          new DoublePrecision(double.class),
          new DoublePrecision(Double.class));

  private Scalars() {}

  private static Encoding<Byte> bytes(Class<Byte> declared) {
    return new Integral<>(
        declared, Byte.MIN_VALUE, Byte.MAX_VALUE, Byte::longValue, value -> (byte) value);
  }

  private static Encoding<Short> shorts(Class<Short> declared) {
    return new Integral<>(
        declared, Short.MIN_VALUE, Short.MAX_VALUE, Short::longValue, value -> (short) value);
  }

  private static Encoding<Character> chars(Class<Character> declared) {
    return new Integral<>(
        declared,
        Character.MIN_VALUE,
        Character.MAX_VALUE,
        Character::charValue,
        value -> (char) value);
  }

  private static Encoding<Integer> ints(Class<Integer> declared) {
    return new Integral<>(
        declared, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer::longValue, value -> (int) value);
  }

  private static Encoding<Long> longs(Class<Long> declared) {
    return new Integral<>(
        declared, Long.MIN_VALUE, Long.MAX_VALUE, Long::longValue, value -> value);
  }

  private static final class Integral<T> extends Encoding<T> {
    private final long min;
    private final long max;
    private final ToLongFunction<T> toLong;
    private final LongFunction<T> fromLong;

    Integral(
        Class<T> declared, long min, long max, ToLongFunction<T> toLong, LongFunction<T> fromLong) {
      super(declared, Kind.INTEGRAL);
      this.min = min;
      this.max = max;
      this.toLong = toLong;
      this.fromLong = fromLong;
    }

    @Override
    long mostBytes(T value, int depth) {
      return NUMBER_BYTES;
    }

    @Override
    void writeContents(T value, ByteWriter writer, int depth) {
      writer.writeZigzag(toLong.applyAsLong(value));
    }

    @Override
    T readContents(ByteReader reader, int depth) {
      long value = reader.readZigzag();
      if (value < min || value > max) {
        throw new MalformedException(value + " is not a valid " + declared().getSimpleName());
      }
      return fromLong.apply(value);
    }

    @Override
    int hash(T value, int depth) {
      return StableHash.of(toLong.applyAsLong(value));
    }
  }

  private static final class Flag extends Encoding<Boolean> {
    Flag(Class<Boolean> declared) {
      super(declared, Kind.BOOLEAN);
    }

    @Override
    long mostBytes(Boolean value, int depth) {
      return 1;
    }

    @Override
    void writeContents(Boolean value, ByteWriter writer, int depth) {
      writer.writeBoolean(value);
    }

    @Override
    Boolean readContents(ByteReader reader, int depth) {
      return reader.readBoolean();
    }

    @Override
    int hash(Boolean value, int depth) {
      return StableHash.of(value ? 1 : 0);
    }
  }

  /** Equality follows {@link Float#equals}: all NaN are one, 0.0 and -0.0 are two. */
  private static final class SinglePrecision extends Encoding<Float> {
    SinglePrecision(Class<Float> declared) {
      super(declared, Kind.FLOAT);
    }

    @Override
    long mostBytes(Float value, int depth) {
      return Float.BYTES;
    }

    @Override
    void writeContents(Float value, ByteWriter writer, int depth) {
      writer.writeInt(Float.floatToIntBits(value));
    }

    @Override
    Float readContents(ByteReader reader, int depth) {
      int bits = reader.readInt();
      float value = Float.intBitsToFloat(bits);
      if (Float.floatToIntBits(value) != bits) {
        throw new MalformedException("a NaN is not the canonical one");
      }
      return value;
    }

    @Override
    int hash(Float value, int depth) {
      return StableHash.of(Float.floatToIntBits(value));
    }
  }

  /** Equality follows {@link Double#equals}: all NaN are one, 0.0 and -0.0 are two. */
  private static final class DoublePrecision extends Encoding<Double> {
    DoublePrecision(Class<Double> declared) {
      super(declared, Kind.DOUBLE);
    }

    @Override
    long mostBytes(Double value, int depth) {
      return Double.BYTES;
    }

    @Override
    void writeContents(Double value, ByteWriter writer, int depth) {
      writer.writeLong(Double.doubleToLongBits(value));
    }

    @Override
    Double readContents(ByteReader reader, int depth) {
      long bits = reader.readLong();
      double value = Double.longBitsToDouble(bits);
      if (Double.doubleToLongBits(value) != bits) {
        throw new MalformedException("a NaN is not the canonical one");
      }
      return value;
    }

    @Override
    int hash(Double value, int depth) {
      return StableHash.of(Double.doubleToLongBits(value));
    }
  }

  private static final class Text extends Encoding<String> {
    Text() {
      super(String.class, Kind.TEXT);
    }

    @Override
    long mostBytes(String value, int depth) {
      return mostTextBytes(value);
    }

    @Override
    void writeContents(String value, ByteWriter writer, int depth) {
      writer.writeString(value);
    }

    @Override
    String readContents(ByteReader reader, int depth) {
      return reader.readString();
    }

    @Override
    int hash(String value, int depth) {
      return StableHash.of(value);
    }
  }

  private static final class Binary extends Encoding<byte[]> {
    Binary() {
      super(byte[].class, Kind.BINARY);
    }

    @Override
    boolean isEqualByContents() {
      return false;
    }

    @Override
    long mostBytes(byte[] value, int depth) {
      return NUMBER_BYTES + value.length;
    }

    @Override
    void writeContents(byte[] value, ByteWriter writer, int depth) {
      writer.writeVarint(value.length);
      writer.writeRaw(value, 0, value.length);
    }

    @Override
    byte[] readContents(ByteReader reader, int depth) {
      return reader.readByteArray();
    }

    @Override
    byte[] copy(byte[] value, int depth) {
      return value.clone();
    }

    @Override
    boolean needsCopy() {
      return true;
    }

    @Override
    int hash(byte[] value, int depth) {
      return StableHash.of(value);
    }
  }
}
