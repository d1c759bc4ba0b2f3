package dev.tempest.values.encoding;

import org.jspecify.annotations.Nullable;

/**
 * A value that this code cannot read: another node stored it, of a class that is not declared here,
 * or that has changed too much. It is kept, hashed and written as the very bytes that came.
 *
 * <p>Equal to another one of the same bytes. Immutable and thread-safe.
 */
public final class Opaque {
  /** What {@link ValueType#any} writes: tag, name, contents. */
  private final Bytes encoded;

  private final int hash;
  private final MalformedException reason;

  /** What the bytes say to this code, null if nothing; other code has to get the bytes back. */
  private final @Nullable Object value;

  private Opaque(Bytes encoded, MalformedException reason, @Nullable Object value) {
    this.encoded = encoded;
    this.hash = hash(encoded);
    this.reason = reason;
    this.value = value;
  }

  /** A value that cannot be read, and why. */
  static Opaque unreadable(Bytes encoded, MalformedException reason) {
    return new Opaque(encoded, reason, null);
  }

  /** A value that this code would write otherwise than the one that wrote it. */
  static Opaque readable(Bytes encoded, Object value) {
    return new Opaque(
        encoded,
        MalformedException.ofOtherCode("written by code that declares the class otherwise"),
        value);
  }

  /** The name of the class that it was stored as. */
  public String className() {
    return tag().className();
  }

  /** Why it cannot be read here, in a sentence for the one who asks for the value. */
  public String reason() {
    return String.valueOf(reason.getMessage());
  }

  /** Whether nothing is wrong with it but that it names what only other code has. */
  public boolean isOfOtherCode() {
    return reason.isOfOtherCode();
  }

  @Nullable Object value() {
    return value;
  }

  ClassTag tag() {
    return ClassTag.read(encoded.reader());
  }

  ByteReader reader() {
    return encoded.reader();
  }

  void write(ByteWriter writer) {
    encoded.writeTo(writer);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Opaque that && hash == that.hash && encoded.equals(that.encoded);
  }

  /** The hash that the value has where its class is declared. */
  @Override
  public int hashCode() {
    return hash;
  }

  /** Says what it is and why it is opaque. */
  @Override
  public String toString() {
    return "Opaque[" + className() + ": " + reason() + "]";
  }

  private static int hash(Bytes encoded) {
    try {
      return hash(encoded.reader());
    } catch (MalformedException malformed) {
      return StableHash.of(encoded.toArray()); // As on every other node.
    }
  }

  private static int hash(ByteReader reader) {
    int tag = ClassTag.read(reader).number();
    if (tag == ClassTag.RECORD) {
      ByteReader contents = reader.slice(reader.readVarint(reader.remaining()));
      int hash = Kind.hashRecord(contents, 0);
      contents.expectEnd();
      return hash;
    }
    Class<?> builtIn = tag < ClassTag.FIRST_SIZED ? ClassTag.builtIn(tag) : null;
    Encoding<?> scalar = builtIn == null ? null : BuiltIns.find(builtIn);
    Kind kind = tag == ClassTag.ENUM ? Kind.TEXT : scalar == null ? Kind.BINARY : scalar.kind();
    return Kind.hash(kind.number(), reader, 0);
  }
}
