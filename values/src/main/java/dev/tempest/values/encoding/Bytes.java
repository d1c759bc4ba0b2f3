package dev.tempest.values.encoding;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable string of bytes with value equality.
 *
 * <p>Thread-safe. Neither the array given to {@link #of} nor one returned by {@link #toArray} is
 * shared with it.
 */
public final class Bytes {
  /** No bytes at all. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Copies {@code bytes}. */
  public static Bytes of(byte... bytes) {
    return bytes.length == 0 ? EMPTY : new Bytes(bytes.clone());
  }

  /** Copies {@code length} bytes of {@code bytes} from {@code offset}. */
  public static Bytes of(byte[] bytes, int offset, int length) {
    return length == 0 ? EMPTY : new Bytes(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  /** The number of bytes. */
  public int size() {
    return bytes.length;
  }

  /** A reader over these bytes, without a copy. */
  public ByteReader reader() {
    return new ByteReader(bytes, 0, bytes.length);
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return bytes.clone();
  }

  /** As {@link StableHash#of(byte[])}, without a copy. */
  public int stableHash() {
    return StableHash.of(bytes);
  }

  void writeTo(ByteWriter writer) {
    writer.writeRaw(bytes, 0, bytes.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length <= 32
        ? HexFormat.of().formatHex(bytes)
        : HexFormat.of().formatHex(bytes, 0, 32) + "... (" + bytes.length + " bytes)";
  }
}
