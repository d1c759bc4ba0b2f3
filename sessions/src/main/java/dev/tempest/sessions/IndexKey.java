package dev.tempest.sessions;

import java.util.Comparator;
import java.util.UUID;

/** That an index of a session has a value. */
record IndexKey(String index, String value, UUID session) implements Comparable<IndexKey> {
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

  @Override
  public int compareTo(IndexKey other) {
    return ORDER.compare(this, other);
  }
}
