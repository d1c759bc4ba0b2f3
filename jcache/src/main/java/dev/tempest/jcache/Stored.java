package dev.tempest.jcache;

import java.util.List;

/**
 * What the collection has under a key: the value of an entry that never expires, or a list of the
 * value and when it expires. No value is a list itself.
 */
final class Stored {
  static final long NEVER = Long.MAX_VALUE;

  private Stored() {}

  static Object of(Object value, long expiresAtMillis) {
    return expiresAtMillis == NEVER ? value : List.of(value, expiresAtMillis);
  }

  static Object value(Object stored) {
    return stored instanceof List<?> parts ? parts.getFirst() : stored;
  }

  static long expiresAtMillis(Object stored) {
    return stored instanceof List<?> parts ? (Long) parts.getLast() : NEVER;
  }
}
