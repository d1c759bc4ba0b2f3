package dev.tempest.values.encoding;

/**
 * Contents of kind {@link Kind#BINARY}: their size, and a body that this type alone understands.
 */
abstract class SizedEncoding<T> extends Encoding<T> {
  SizedEncoding(Class<T> declared) {
    super(declared, Kind.BINARY);
  }

  /** Writes what follows the size. */
  abstract void writeBody(T value, ByteWriter writer, int depth);

  /** {@link #mostBytes} of what {@link #writeBody} writes. */
  long mostBodyBytes(T value, int depth) {
    return LARGE_BYTES;
  }

  /** Reads what {@link #writeBody} wrote, to the end. */
  abstract T readBody(ByteReader reader, int depth);

  @Override
  final long mostBytes(T value, int depth) {
    return NUMBER_BYTES + mostBodyBytes(value, depth);
  }

  @Override
  final void writeContents(T value, ByteWriter writer, int depth) {
    int start = writer.size();
    writeBody(value, writer, depth);
    writer.insertVarint(start, writer.size() - start);
  }

  @Override
  final T readContents(ByteReader reader, int depth) {
    ByteReader body = reader.slice(reader.readVarint(reader.remaining()));
    T value = readBody(body, depth);
    body.expectEnd();
    return value;
  }

  @Override
  int hash(T value, int depth) {
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    writeBody(value, writer, depth);
    return StableHash.of(writer.array(), 0, writer.size());
  }
}
