package dev.tempest.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.UUID;

/** That an index of a session has a value. */
record IndexKey(String index, String value, UUID session) implements Comparable<IndexKey> {
  /** Begins a value that UTF-8 cannot have, as no UTF-8 does: one with half a surrogate pair. */
  private static final byte HALVES = -1;

  private static final UUID LEAST = new UUID(Long.MIN_VALUE, Long.MIN_VALUE);
  private static final Comparator<IndexKey> ORDER =
      Comparator.comparing(IndexKey::index)
          .thenComparing(IndexKey::value)
          .thenComparing(IndexKey::session);

  /** Before all sessions whose index has that value. */
  static IndexKey first(String index, String value) {
    return new IndexKey(index, value, LEAST);
  }

  boolean isOf(String otherIndex, String otherValue) {
    return index.equals(otherIndex) && value.equals(otherValue);
  }

  /** A value, to be kept with its session. */
  static byte[] encoded(String value) {
    byte[] utf8 = value.getBytes(UTF_8);
    if (new String(utf8, UTF_8).equals(value)) {
      return utf8;
    }
    ByteBuffer bytes = ByteBuffer.allocate(1 + Character.BYTES * value.length()).put(HALVES);
    value.chars().forEach(each -> bytes.putChar((char) each));
    return bytes.array();
  }

  /** What {@link #encoded} was given. */
  static String decoded(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == HALVES
        ? ByteBuffer.wrap(bytes, 1, bytes.length - 1).asCharBuffer().toString()
        : new String(bytes, UTF_8);
  }

  @Override
  public int compareTo(IndexKey other) {
    return ORDER.compare(this, other);
  }
}
