package dev.tempest.values.encoding;

/** One of the classes that a value may be of, and how it is written. */
record Case(ClassTag tag, Encoding<Object> encoding) {
  /** The case of an encoding whose class is written by name. */
  @SuppressWarnings("unchecked") // Values are handled as Objects.
  static Case named(Encoding<?> encoding) {
    int number =
        switch (encoding) {
          case EnumEncoding<?> constant -> ClassTag.ENUM;
          case RecordEncoding<?> composed -> ClassTag.RECORD;
          case ForeignEncoding<?> foreign -> ClassTag.FOREIGN;
          default -> ClassTag.ARRAY;
        };
    ClassTag tag = new ClassTag(number, encoding.declared().getName());
    return new Case(tag, (Encoding<Object>) encoding);
  }

  /** {@link Encoding#mostBytes}, with the tag. */
  long mostBytes(Object value, int depth) {
    String name = tag.name();
    return 2 * Encoding.NUMBER_BYTES
        + (name == null ? 0 : Encoding.mostTextBytes(name))
        + encoding.mostBytes(value, depth);
  }

  /** Writes a value with what only other code knows of one whose encoding is given. */
  void writeOver(ByteReader earlier, Object value, ByteWriter writer) {
    if (!(encoding instanceof RecordEncoding<Object> composed)
        || !ClassTag.read(earlier).equals(tag)) {
      write(value, writer, 0);
      return;
    }
    tag.write(writer);
    int start = writer.size();
    composed.writeOver(earlier.slice(earlier.readVarint(earlier.remaining())), value, writer, 0);
    writer.insertVarint(start, writer.size() - start);
  }

  void write(Object value, ByteWriter writer, int depth) {
    tag.write(writer);
    int start = writer.size();
    encoding.writeContents(value, writer, depth);
    if (tag.number() == ClassTag.RECORD) { // The others start with their size.
      writer.insertVarint(start, writer.size() - start);
    }
  }
}
