package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;

/**
 * How far somebody has come who walks over all entries of a version: collections by rising name and
 * kind, and within each by rising place. The same in every process, also where a collection is not
 * declared.
 *
 * @param kind its code
 * @param place of the entry in its collection, as {@link PlacedCursor} says it
 */
record Mark(String name, int kind, Bytes place) {
  /** Before the first entry: every name comes after it. */
  static final Mark START = new Mark("", 0, Bytes.EMPTY);

  /** After the last entry: no name comes after it. */
  static final Mark END = new Mark("\uFFFF", 0, Bytes.EMPTY);

  /** Below 0 if the collection of the mark comes before this one, 0 if it is this one. */
  int compareTo(StateObject<?, ?> object) {
    int byName = name.compareTo(object.name);
    return byName != 0 ? byName : Integer.compare(kind, object.kind.code);
  }

  void write(ByteWriter writer) {
    writer.writeString(name);
    writer.writeByte(kind);
    writer.writeBytes(place);
  }

  static Mark read(ByteReader reader) {
    String name = reader.readString();
    int kind = reader.readByte();
    return new Mark(name, kind, reader.readBytes());
  }
}
