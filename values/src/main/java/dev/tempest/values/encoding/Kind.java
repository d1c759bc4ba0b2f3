package dev.tempest.values.encoding;

import dev.tempest.values.ValueFormat;

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
    return (StableHash.ofName(component) & ~NUMBER_BITS) | number;
  }

  /** Whether two tags are of one name, whatever their kinds. */
  static boolean isSameName(int tag, int other) {
    return (tag & ~NUMBER_BITS) == (other & ~NUMBER_BITS);
  }

  int number() {
    return number;
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

  /** The hash of the contents that follow {@code tag}: that of the value they are of. */
  static int hash(int tag, ByteReader reader, int depth) {
    return switch (of(tag & NUMBER_BITS)) {
      case INTEGRAL -> StableHash.of(reader.readZigzag());
      case BOOLEAN -> StableHash.of(reader.readBoolean() ? 1 : 0);
      case FLOAT -> StableHash.of(reader.readInt());
      case DOUBLE -> StableHash.of(reader.readLong());
      case TEXT -> StableHash.of(reader.readString());
      case BINARY -> reader.hash(reader.readVarint(reader.remaining()));
      case RECORD -> hashRecord(reader, depth);
    };
  }

  /** The hash of a record's contents, as {@link RecordEncoding#hash} computes it of the record. */
  static int hashRecord(ByteReader reader, int depth) {
    checkDepth(depth);
    int count = reader.readByte();
    long state = 0;
    for (int i = 0; i < count; i++) {
      int tag = reader.readInt();
      state = StableHash.append(state, component(tag, hash(tag, reader, depth + 1)));
    }
    return StableHash.finish(state);
  }

  /** What a component adds to the hash of its record. */
  static long component(int tag, int hash) {
    return ((long) tag << Integer.SIZE) | (hash & 0xFFFF_FFFFL);
  }

  private static Kind of(int number) {
    for (Kind kind : ALL) {
      if (kind.number == number) {
        return kind;
      }
    }
    throw new MalformedException("unknown kind number " + number);
  }

  private static void skipRecord(ByteReader reader, int depth) {
    checkDepth(depth);
    int count = reader.readByte();
    for (int i = 0; i < count; i++) {
      skip(reader.readInt(), reader, depth + 1);
    }
  }

  static void checkDepth(int depth) {
    if (depth >= ValueFormat.NESTING_MAX) {
      throw new MalformedException("values nested deeper than " + ValueFormat.NESTING_MAX);
    }
  }
}
