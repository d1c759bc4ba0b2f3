package dev.tempest.values.encoding;

import java.lang.reflect.Array;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** Arrays of primitives other than byte: the elements one after the other, big endian. */
final class PrimitiveArrays {
  static final List<Encoding<?>> ALL =
      List.of(booleans(), shorts(), chars(), ints(), longs(), floats(), doubles());

  private PrimitiveArrays() {}

  private static Encoding<?> booleans() {
    return new Elements<>(
        boolean[].class,
        1,
        (value, writer) -> {
          for (boolean each : value) {
            writer.writeBoolean(each);
          }
        },
        (reader, count) -> {
          boolean[] value = new boolean[count];
          for (int i = 0; i < count; i++) {
            value[i] = reader.readBoolean();
          }
          return value;
        },
        boolean[]::clone);
  }

  private static Encoding<?> shorts() {
    return new Elements<>(
        short[].class,
        Short.BYTES,
        (value, writer) -> {
          for (short each : value) {
            writeTwo(each, writer);
          }
        },
        (reader, count) -> {
          short[] value = new short[count];
          for (int i = 0; i < count; i++) {
            value[i] = (short) readTwo(reader);
          }
          return value;
        },
        short[]::clone);
  }

  private static Encoding<?> chars() {
    return new Elements<>(
        char[].class,
        Character.BYTES,
        (value, writer) -> {
          for (char each : value) {
            writeTwo(each, writer);
          }
        },
        (reader, count) -> {
          char[] value = new char[count];
          for (int i = 0; i < count; i++) {
            value[i] = (char) readTwo(reader);
          }
          return value;
        },
        char[]::clone);
  }

  private static Encoding<?> ints() {
    return new Elements<>(
        int[].class,
        Integer.BYTES,
        (value, writer) -> {
          for (int each : value) {
            writer.writeInt(each);
          }
        },
        (reader, count) -> {
          int[] value = new int[count];
          for (int i = 0; i < count; i++) {
            value[i] = reader.readInt();
          }
          return value;
        },
        int[]::clone);
  }

  private static Encoding<?> longs() {
    return new Elements<>(
        long[].class,
        Long.BYTES,
        (value, writer) -> {
          for (long each : value) {
            writer.writeLong(each);
          }
        },
        (reader, count) -> {
          long[] value = new long[count];
          for (int i = 0; i < count; i++) {
            value[i] = reader.readLong();
          }
          return value;
        },
        long[]::clone);
  }

  private static Encoding<?> floats() {
    return new Elements<>(
        float[].class,
        Float.BYTES,
        (value, writer) -> {
          for (float each : value) {
            writer.writeInt(Float.floatToIntBits(each));
          }
        },
        (reader, count) -> {
          float[] value = new float[count];
          for (int i = 0; i < count; i++) {
            value[i] = Float.intBitsToFloat(reader.readInt());
          }
          return value;
        },
        float[]::clone);
  }

  private static Encoding<?> doubles() {
    return new Elements<>(
        double[].class,
        Double.BYTES,
        (value, writer) -> {
          for (double each : value) {
            writer.writeLong(Double.doubleToLongBits(each));
          }
        },
        (reader, count) -> {
          double[] value = new double[count];
          for (int i = 0; i < count; i++) {
            value[i] = Double.longBitsToDouble(reader.readLong());
          }
          return value;
        },
        double[]::clone);
  }

  private static void writeTwo(int value, ByteWriter writer) {
    writer.writeByte(value >> Byte.SIZE);
    writer.writeByte(value);
  }

  private static int readTwo(ByteReader reader) {
    return reader.readByte() << Byte.SIZE | reader.readByte();
  }

  private interface Read<A> {
    A read(ByteReader reader, int count);
  }

  private static final class Elements<A> extends SizedEncoding<A> {
    private final int elementSizeBytes;
    private final BiConsumer<A, ByteWriter> write;
    private final Read<A> read;
    private final UnaryOperator<A> copy;

    Elements(
        Class<A> declared,
        int elementSizeBytes,
        BiConsumer<A, ByteWriter> write,
        Read<A> read,
        UnaryOperator<A> copy) {
      super(declared);
      this.elementSizeBytes = elementSizeBytes;
      this.write = write;
      this.read = read;
      this.copy = copy;
    }

    @Override
    boolean isEqualByContents() {
      return false;
    }

    @Override
    boolean needsCopy() {
      return true;
    }

    @Override
    A copy(A value, int depth) {
      return copy.apply(value);
    }

    @Override
    long mostBodyBytes(A value, int depth) {
      return (long) elementSizeBytes * Array.getLength(value);
    }

    @Override
    void writeBody(A value, ByteWriter writer, int depth) {
      write.accept(value, writer);
    }

    @Override
    A readBody(ByteReader reader, int depth) {
      return read.read(reader, reader.remaining() / elementSizeBytes); // A rest is left over.
    }
  }
}
