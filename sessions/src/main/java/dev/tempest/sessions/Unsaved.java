package dev.tempest.sessions;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a request has changed and not saved yet; a name with nothing is removed. All of it has to
 * fit one change of a node, which takes 16 MiB: so each of it is refused where it does not.
 */
final class Unsaved {
  /** Leaves room for what a session has beside: its ids, and its times. */
  static final int MAX_BYTES = 15 << 20;

  /** More than an entry takes beside the name and the value. */
  static final int ENTRY_BYTES = 64;

  /** More than an index takes: the name, the value, and the value before are written. */
  static final int INDEX_BYTES = 20 << 10;

  final Map<String, Optional<byte[]>> attributes = new LinkedHashMap<>();
  final Map<String, Optional<String>> indexes = new LinkedHashMap<>();
  private final Sessions sessions;
  private long bytes;

  Unsaved(Sessions sessions) {
    this.sessions = sessions;
  }

  /**
   * Another value of an attribute.
   *
   * @throws SessionLimitException if it does not fit
   */
  void put(String name, Optional<byte[]> value) {
    Optional<byte[]> before = attributes.get(name);
    long after = bytes + bytes(name, value) - (before == null ? 0 : bytes(name, before));
    sessions.requireOneChange("attribute " + name, after);
    bytes = after;
    attributes.put(name, value);
  }

  private static long bytes(String name, Optional<byte[]> value) {
    int beside = AttributeKey.bytes(name) + ENTRY_BYTES;
    return (long) beside + value.map(each -> each.length).orElse(0);
  }

  /**
   * Another value of an index.
   *
   * @throws SessionLimitException if it does not fit, or one of them is too long
   */
  void putIndex(String index, Optional<String> value) {
    sessions.requireShort("the name of an index", index);
    value.ifPresent(text -> sessions.requireShort("the value of the index " + index, text));
    long after = bytes + (indexes.containsKey(index) ? 0 : INDEX_BYTES);
    sessions.requireOneChange("index " + index, after);
    bytes = after;
    indexes.put(index, value);
  }
}
