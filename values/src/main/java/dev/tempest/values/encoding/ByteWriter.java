package dev.tempest.values.encoding;

import dev.tempest.values.TooLargeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes primitives, big endian, into an array that grows up to a limit.
 *
 * <p>Not thread-safe.
 */
public final class ByteWriter {
  static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int FIRST_CAPACITY_BYTES = 128;

  private final int limitBytes;
  private byte[] bytes;
  private int size;

  /** A writer that refuses to grow beyond {@code limitBytes}. */
  public ByteWriter(int limitBytes) {
    this(limitBytes, FIRST_CAPACITY_BYTES);
  }

  /**
   * A writer that has room for {@code firstBytes} at once, and refuses to grow beyond its limit.
   */
  public ByteWriter(int limitBytes, int firstBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("the limit is " + limitBytes + " bytes");
    }
    this.limitBytes = limitBytes;
    this.bytes = new byte[Math.min(firstBytes, limitBytes)];
  }

  /** The number of bytes written. */
  public int size() {
    return size;
  }

  /** Forgets what was written; the array stays. */
  public void reset() {
    size = 0;
  }

  /** Forgets what was written after the first {@code sizeBytes}. */
  public void truncate(int sizeBytes) {
    if (sizeBytes < 0 || sizeBytes > size) {
      throw new IllegalArgumentException("cannot truncate " + size + " bytes to " + sizeBytes);
    }
    size = sizeBytes;
  }

  /** Writes the lowest 8 bits. */
  public void writeByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  /** Writes one byte, 0 or 1. */
  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /** Writes 4 bytes. */
  public void writeInt(int value) {
    reserve(Integer.BYTES);
    INTS.set(bytes, size, value);
    size += Integer.BYTES;
  }

  /** Writes 4 bytes over earlier ones at {@code index}. */
  public void overwriteInt(int index, int value) {
    if (index < 0 || index > size - Integer.BYTES) {
      throw new IndexOutOfBoundsException("no 4 bytes at " + index + " of " + size);
    }
    INTS.set(bytes, index, value);
  }

  void overwriteByte(int index, int value) {
    bytes[index] = (byte) value;
  }

  /** Writes 8 bytes. */
  public void writeLong(long value) {
    reserve(Long.BYTES);
    LONGS.set(bytes, size, value);
    size += Long.BYTES;
  }

  /** Writes 1 to 10 bytes, few for small non-negative values (unsigned LEB128). */
  public void writeVarint(long value) {
    reserve(varintSize(value));
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Inserts a varint at {@code index}; what was written from there on moves up. */
  public void insertVarint(int index, long value) {
    int length = varintSize(value);
    int sizeBefore = size;
    makeRoom(index, length);
    size = index;
    writeVarint(value);
    size = sizeBefore + length;
  }

  /** Inserts what another writer has written; what was written from {@code index} on moves up. */
  public void insert(int index, ByteWriter other) {
    makeRoom(index, other.size);
    System.arraycopy(other.bytes, 0, bytes, index, other.size);
    size += other.size;
  }

  private void makeRoom(int index, int length) {
    if (index < 0 || index > size) {
      throw new IndexOutOfBoundsException("no place " + index + " among " + size + " bytes");
    }
    reserve(length);
    System.arraycopy(bytes, index, bytes, index + length, size - index);
  }

  /** Writes 1 to 10 bytes, few for values near zero, negative ones included. */
  public void writeZigzag(long value) {
    writeVarint((value << 1) ^ (value >> 63));
  }

  /** Writes {@code length} bytes of {@code source} as they are. */
  public void writeRaw(byte[] source, int offset, int length) {
    reserve(length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
  }

  /** Writes a varint of the size and the bytes. */
  public void writeBytes(Bytes value) {
    writeVarint(value.size());
    value.writeTo(this);
  }

  /**
   * Writes a varint of the size in bytes and the string in UTF-8; an unpaired surrogate is written
   * as the code point that it is, so that every string comes back as it was.
   */
  public void writeString(String value) {
    long length = Utf8.size(value);
    writeVarint(length);
    if (length > limitBytes - size) {
      throw tooLarge();
    }
    reserve((int) length);
    size = Utf8.put(value, bytes, size);
  }

  /** What was written, copied. */
  public Bytes toBytes() {
    return Bytes.of(bytes, 0, size);
  }

  /**
   * The array itself, valid up to {@link #size} until the next write: for handing on without a
   * copy.
   */
  public byte[] array() {
    return bytes;
  }

  private TooLargeException tooLarge() {
    return new TooLargeException("larger than the limit of " + limitBytes + " bytes");
  }

  private static int varintSize(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }

  private void reserve(int more) {
    if (more > limitBytes - size) {
      throw tooLarge();
    }
    if (more > bytes.length - size) {
      // A little beyond what is large by itself: something follows it, most often.
      long larger = Math.max(2L * bytes.length, size + more + more / 8L);
      bytes = Arrays.copyOf(bytes, (int) Math.min(larger, limitBytes));
    }
  }
}
