package dev.tempest.state.versioned;

import dev.tempest.state.versioned.StateObject.Kind;
import dev.tempest.state.versioned.Write.Conditional;
import dev.tempest.state.versioned.Write.Merged;
import dev.tempest.values.TooLargeException;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.ValueType;

/**
 * How large one entry may be. A state travels and is saved in pieces that hold at least one whole
 * entry, so one that is too large is refused where it is made.
 */
final class EntryLimit {
  /** The most that an action may make of one entry. */
  static final int ENTRY_MAX_BYTES = 64 << 20;

  /**
   * The most that merges come to which did not know of each other: what each writer refuses, all of
   * them together can exceed.
   */
  static final int MERGED_MAX_BYTES = 2 * ENTRY_MAX_BYTES;

  /** What a piece may take: the largest entry, others of the same hash, and those before them. */
  static final int PIECE_MAX_BYTES = 200 << 20;

  private static final int SHOWN_MAX = 40;

  private EntryLimit() {}

  /**
   * Refuses a write that makes an entry too large.
   *
   * @return what it takes, about: at most, unless it is large
   * @throws TooLargeException which names the collection and the key
   */
  static <K, V> long require(KeyedObject<K, V> object, K key, Object write) {
    Object written = written(write);
    if (written instanceof Write) {
      return 0;
    }
    V value = object.value(written);
    long keyBytes = object.keys.mostBytes(key);
    long valueBytes = object.values.mostBytes(value);
    if (Math.max(keyBytes, valueBytes) >= ValueType.LARGE_BYTES) {
      ByteWriter writer = new ByteWriter(ENTRY_MAX_BYTES);
      try {
        object.keys.write(key, writer);
        object.values.write(value, writer);
        return writer.size();
      } catch (TooLargeException tooLarge) {
        throw new TooLargeException(
            "%s: %s. One entry takes at most %d MiB: keep what is large in several entries"
                .formatted(describe(object, key), tooLarge.getMessage(), ENTRY_MAX_BYTES >> 20));
      }
    }
    return keyBytes + valueBytes;
  }

  /** Whether what was merged is larger than what is kept; the same answer on every replica. */
  static <V> boolean isTooLarge(StoredType<V> values, V merged) {
    if (values.mostBytes(merged) < ValueType.LARGE_BYTES) {
      return false;
    }
    try {
      values.write(merged, new ByteWriter(MERGED_MAX_BYTES));
      return false;
    } catch (TooLargeException tooLarge) {
      return true;
    }
  }

  /** What to say where {@link #isTooLarge}. */
  static String merged(KeyedObject<?, ?> object, Merged merge) {
    return "concurrent writes, merged by '%s', would make an entry of %s larger than %d MiB: the"
            .formatted(merge.function(), object, MERGED_MAX_BYTES >> 20)
        + " earlier value stays as it is, without the later one. Keep what is large in several"
        + " entries. Others are not logged";
  }

  /** The value that a write leaves or merges; the write itself if it removes or touches. */
  private static Object written(Object write) {
    return switch (write) {
      case Conditional(var expected, var then) -> written(then);
      case Merged(var function, var operand) -> written(operand);
      case Lease lease -> written(lease.value());
      default -> write;
    };
  }

  private static boolean isOfFixedSize(Object scalar) {
    return scalar instanceof Long
        || scalar instanceof Integer
        || scalar instanceof Double
        || scalar instanceof Float
        || scalar instanceof Short
        || scalar instanceof Byte
        || scalar instanceof Boolean
        || scalar instanceof Character;
  }

  private static <K> String describe(KeyedObject<K, ?> object, K key) {
    if (object.kind == Kind.VALUE) {
      return object.toString();
    }
    if (key instanceof Position) {
      return "an element of " + object;
    }
    String shown = key.getClass().getName();
    if (key instanceof String || key instanceof Enum<?> || isOfFixedSize(key)) {
      String text = key instanceof Enum<?> constant ? constant.name() : key.toString();
      shown += text.length() <= SHOWN_MAX ? " " + text : " " + text.substring(0, SHOWN_MAX) + "...";
    }
    return object + ", key of " + shown;
  }
}
