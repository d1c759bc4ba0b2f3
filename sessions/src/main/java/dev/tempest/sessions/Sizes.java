package dev.tempest.sessions;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How many bytes each attribute of a session takes, with its name, as a request leaves them. */
final class Sizes {
  private final Map<String, Integer> each = new HashMap<>();
  private long sum;

  static Sizes of(Map<String, byte[]> attributes) {
    Sizes sizes = new Sizes();
    attributes.forEach((name, bytes) -> sizes.put(name, Optional.of(bytes)));
    return sizes;
  }

  /** Nothing for one that is removed. */
  void put(String name, Optional<byte[]> bytes) {
    Integer before = each.remove(name);
    sum -= before == null ? 0 : before;
    if (bytes.isPresent()) {
      int after = AttributeKey.bytes(name) + bytes.get().length;
      each.put(name, after);
      sum += after;
    }
  }

  /** With another value of an attribute, or one more. */
  long sumWith(String name, int bytes) {
    return sum - each.getOrDefault(name, 0) + AttributeKey.bytes(name) + bytes;
  }

  int countWith(String name) {
    return each.containsKey(name) ? each.size() : each.size() + 1;
  }
}
