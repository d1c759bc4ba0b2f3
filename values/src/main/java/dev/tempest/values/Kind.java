package dev.tempest.values;

/** The form of a value's contents: enough to pass over a component that nobody knows any more. */
enum Kind {
  INTEGRAL(0),
  BOOLEAN(1),
  FLOAT(2),
  DOUBLE(3),
  TEXT(4),
  BINARY(5),
  RECORD(6);

  private static final int NUMBER_BITS = 0xF;

  private static final Kind[] ALL = values();

  /** Written: a number stays with its kind for ever. */
  private final int number;

  Kind(int number) {
    this.number = number;
  }

  /** The tag of a component of this kind. */
  int tag(String component) {
    return (StableHash.of(component) & ~NUMBER_BITS) | number;
  }

  /** Passes over the contents that follow {@code tag}. */
  static void skip(int tag, ByteReader reader, int depth) {
    switch (of(tag & NUMBER_BITS)) {
      case INTEGRAL -> reader.readVarint();
      case BOOLEAN -> reader.readBoolean();
      case FLOAT -> reader.skip(Float.BYTES);
      case DOUBLE -> reader.skip(Double.BYTES);
      case TEXT, BINARY -> reader.skip(reader.readVarint(reader.remaining()));
      case RECORD -> skipRecord(reader, depth);
    }
  }

  private static Kind of(int number) {
    for (Kind kind : ALL) {
      if (kind.number == number) {
        return kind;
      }
    }
    throw new MalformedException("no kind has the number " + number);
  }

  private static void skipRecord(ByteReader reader, int depth) {
    if (depth >= ValueType.NESTING_MAX) {
      throw new MalformedException("records nested deeper than " + ValueType.NESTING_MAX);
    }
    int count = reader.readByte();
    for (int i = 0; i < count; i++) {
      skip(reader.readInt(), reader, depth + 1);
    }
  }
}
