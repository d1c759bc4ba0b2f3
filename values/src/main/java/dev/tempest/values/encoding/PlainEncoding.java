package dev.tempest.values.encoding;

import java.time.DateTimeException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** An immutable class of the JDK, by functions. */
final class PlainEncoding<T> extends SizedEncoding<T> {
  private final ToLongFunction<T> mostBytes;
  private final BiConsumer<T, ByteWriter> write;
  private final Function<ByteReader, T> read;

  PlainEncoding(
      Class<T> declared,
      ToLongFunction<T> mostBytes,
      BiConsumer<T, ByteWriter> write,
      Function<ByteReader, T> read) {
    super(declared);
    this.mostBytes = mostBytes;
    this.write = write;
    this.read = read;
  }

  @Override
  long mostBodyBytes(T value, int depth) {
    return mostBytes.applyAsLong(value);
  }

  @Override
  void writeBody(T value, ByteWriter writer, int depth) {
    write.accept(value, writer);
  }

  @Override
  T readBody(ByteReader reader, int depth) {
    try {
      return read.apply(reader);
    } catch (DateTimeException | ArithmeticException outOfRange) {
      throw new MalformedException(
          "no " + declared().getSimpleName() + ": " + outOfRange.getMessage());
    }
  }
}
