package dev.tempest.values.encoding;

import java.util.Arrays;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link ByteWriter} wrote. Every method refuses bytes that end too early or say
 * something impossible with {@link MalformedException}, and allocates nothing on the word of a
 * length that it has not checked.
 *
 * <p>Not thread-safe.
 */
public final class ByteReader {
  private final byte[] bytes;
  private final int end;
  private int position;
  private int elementsLeft = Integer.MAX_VALUE;
  private @Nullable Memory memory;

  /** What may still be taken, here and in all slices. */
  private static final class Memory {
    long leftBytes;

    Memory(long leftBytes) {
      this.leftBytes = leftBytes;
    }
  }

  /** Reads {@code length} bytes of {@code bytes} from {@code offset}; the array is not copied. */
  public ByteReader(byte[] bytes, int offset, int length) {
    if (offset < 0 || length < 0 || offset > bytes.length - length) {
      throw new IndexOutOfBoundsException(offset + "+" + length + " of " + bytes.length);
    }
    this.bytes = bytes;
    this.position = offset;
    this.end = offset + length;
  }

  /** The number of bytes left. */
  public int remaining() {
    return end - position;
  }

  /** One byte as 0..255. */
  public int readByte() {
    need(1);
    return bytes[position++] & 0xFF;
  }

  /** One byte that has to be 0 or 1. */
  public boolean readBoolean() {
    int value = readByte();
    if (value > 1) {
      throw new MalformedException("a boolean is 0 or 1, not " + value);
    }
    return value == 1;
  }

  /** 4 bytes. */
  public int readInt() {
    need(Integer.BYTES);
    int value = (int) ByteWriter.INTS.get(bytes, position);
    position += Integer.BYTES;
    return value;
  }

  /** 8 bytes. */
  public long readLong() {
    need(Long.BYTES);
    long value = (long) ByteWriter.LONGS.get(bytes, position);
    position += Long.BYTES;
    return value;
  }

  /** An unsigned LEB128 of at most 10 bytes, in its only shortest form. */
  public long readVarint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = readByte();
      if (shift == 63 && next > 1) {
        throw new MalformedException("a varint exceeds 64 bits");
      }
      value |= (long) (next & 0x7F) << shift;
      if ((next & 0x80) == 0) {
        if (next == 0 && shift > 0) {
          throw new MalformedException("a varint is longer than necessary");
        }
        return value;
      }
    }
    throw new MalformedException("a varint exceeds 10 bytes");
  }

  /** A varint of a number from 0 to {@code max}. */
  public int readVarint(int max) {
    long value = readVarint();
    if (value < 0 || value > max) {
      throw new MalformedException(Long.toUnsignedString(value) + " exceeds " + max);
    }
    return (int) value;
  }

  /** A zigzag varint. */
  public long readZigzag() {
    long value = readVarint();
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * A count of elements that take at least {@code elementSizeMinBytes} each, so that it cannot
   * exceed the bytes left.
   */
  public int readCount(int elementSizeMinBytes) {
    return readCount(elementSizeMinBytes, Integer.MAX_VALUE);
  }

  /** As above, of at most so many elements. */
  public int readCount(int elementSizeMinBytes, int max) {
    int count = readVarint(Math.min(max, remaining() / elementSizeMinBytes));
    if (count > elementsLeft) {
      throw new MalformedException(
          count + " more elements of lists, where only " + elementsLeft + " are left");
    }
    elementsLeft -= count;
    return count;
  }

  /**
   * Refuses lists from now on that have more than so many elements in all: in memory one takes far
   * more than the bytes that it may be written in.
   */
  public void limitElements(int max) {
    elementsLeft = max;
  }

  /**
   * Refuses from now on what takes more memory in all, about: a record without components, say, is
   * one byte here.
   */
  public void limitMemory(long maxBytes) {
    memory = new Memory(maxBytes);
  }

  /** What is being read takes so much in memory beside its own bytes. */
  void takeMemory(int bytes) {
    Memory limited = memory;
    if (limited != null) {
      limited.leftBytes -= bytes;
      if (limited.leftBytes < 0) {
        throw new MalformedException("they take more memory than they may");
      }
    }
  }

  /** How many elements may still come. */
  public int elementsLeft() {
    return elementsLeft;
  }

  /** {@code length} bytes as they are. */
  public Bytes readRaw(int length) {
    need(length);
    Bytes value = Bytes.of(bytes, position, length);
    position += length;
    return value;
  }

  /** A varint of the size and the bytes. */
  public Bytes readBytes() {
    return readRaw(readVarint(remaining()));
  }

  /** Where the next byte is read; for {@link #between} and {@link #bytesSince}. */
  int position() {
    return position;
  }

  /** A reader over bytes that this one has passed. */
  ByteReader between(int from, int to) {
    return new ByteReader(bytes, from, to - from);
  }

  /** A copy of what was read since {@code from}. */
  Bytes bytesSince(int from) {
    return Bytes.of(bytes, from, position - from);
  }

  /** Whether what was read since {@code from} is what {@code writer} wrote. */
  boolean isSince(int from, ByteWriter writer) {
    return Arrays.equals(bytes, from, position, writer.array(), 0, writer.size());
  }

  /** The hash of the next {@code length} bytes, which this one skips. */
  int hash(int length) {
    need(length);
    position += length;
    return StableHash.of(bytes, position - length, length);
  }

  byte[] readByteArray() {
    int length = readVarint(remaining());
    need(length);
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  /** A varint of the size in bytes and a string as {@link ByteWriter#writeString} writes it. */
  public String readString() {
    return readString(Integer.MAX_VALUE);
  }

  /** As above, of at most so many bytes. */
  public String readString(int maxBytes) {
    int length = readVarint(Math.min(maxBytes, remaining()));
    need(length);
    String value = Utf8.decode(bytes, position, length);
    position += length;
    return value;
  }

  /** Passes over {@code length} bytes. */
  void skip(int length) {
    need(length);
    position += length;
  }

  /** A reader over the next {@code length} bytes, which this one skips. */
  public ByteReader slice(int length) {
    need(length);
    ByteReader slice = new ByteReader(bytes, position, length);
    slice.memory = memory;
    position += length;
    return slice;
  }

  /** Feeds the next {@code length} bytes to a checksum; they stay to be read. */
  public void feedTo(Checksum checksum, int length) {
    need(length);
    checksum.update(bytes, position, length);
  }

  /** Refuses bytes that are left over. */
  public void expectEnd() {
    if (position != end) {
      throw new MalformedException(remaining() + " bytes left over");
    }
  }

  private void need(int count) {
    if (count < 0 || count > end - position) {
      throw new MalformedException(count + " bytes needed, but " + remaining() + " left");
    }
  }
}
