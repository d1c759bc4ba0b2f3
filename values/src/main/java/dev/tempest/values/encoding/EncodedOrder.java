package dev.tempest.values.encoding;

import java.util.Arrays;

/** Orders and compares values by the bytes that are written of them. */
final class EncodedOrder {
  private EncodedOrder() {}

  /** By the bytes as unsigned numbers from the first on. */
  static <T> int compare(ValueType<T> type, T left, T right) {
    ByteWriter leftBytes = encoded(type, left);
    ByteWriter rightBytes = encoded(type, right);
    return Arrays.compareUnsigned(
        leftBytes.array(), 0, leftBytes.size(), rightBytes.array(), 0, rightBytes.size());
  }

  /**
   * By {@code compareTo}, whatever it throws; where that is 0 for values that differ, by the bytes.
   */
  @SuppressWarnings({"unchecked", "ReferenceEquality"}) // The same is equal, and soon found.
  static <T> int natural(ValueType<T> type, T left, T right) {
    if (left == right) {
      return 0;
    }
    int natural = ((Comparable<Object>) left).compareTo(right);
    if (natural != 0) {
      return natural;
    }
    return type.isSame(left, right) ? 0 : compare(type, left, right);
  }

  private static <T> ByteWriter encoded(ValueType<T> type, T value) {
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    type.write(value, writer);
    return writer;
  }
}
