package dev.tempest.values.encoding;

/**
 * 32-bit hashes that are the same in every JVM and every Java version, unlike those of enums and of
 * records that hold one.
 *
 * <p>Every result bit depends on every input bit, so that tries may take any of them. Not keyed:
 * whoever chooses the input can choose collisions.
 */
public final class StableHash {
  /** 2^64 divided by the golden ratio: odd, with its bits well spread. */
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private StableHash() {}

  /** The hash of a number; those of an {@code int} and of the equal {@code long} are the same. */
  public static int of(long value) {
    return finish(value);
  }

  /**
   * The hash of a string: its {@link String#hashCode}, which the language specifies and the string
   * keeps, mixed. Strings that the JDK hashes alike have the same hash.
   */
  public static int of(String value) {
    int hash = value.hashCode();
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b; // The finalizer of MurmurHash3 for 32 bits.
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }

  /**
   * A hash for names that must not collide by their likeness: of all UTF-16 code units, four at a
   * time. Takes longer than {@link #of(String)}.
   */
  public static int ofName(String value) {
    int length = value.length();
    long state = length;
    int i = 0;
    for (; i <= length - 4; i += 4) {
      long units =
          value.charAt(i)
              | ((long) value.charAt(i + 1) << 16)
              | ((long) value.charAt(i + 2) << 32)
              | ((long) value.charAt(i + 3) << 48);
      state = append(state, units);
    }
    if (i < length) {
      long units = 0;
      for (; i < length; i++) {
        units = (units << 16) | value.charAt(i);
      }
      state = append(state, units);
    }
    return finish(state);
  }

  /** The hash of the contents of an array. */
  public static int of(byte[] value) {
    return of(value, 0, value.length);
  }

  /** The hash of {@code length} bytes from {@code offset}, eight at a time. */
  static int of(byte[] bytes, int offset, int length) {
    long state = length;
    int end = offset + length;
    int i = offset;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      state = append(state, (long) ByteWriter.LONGS.get(bytes, i));
    }
    if (i < end) {
      long rest = 0;
      for (; i < end; i++) {
        rest = (rest << Byte.SIZE) | (bytes[i] & 0xFF);
      }
      state = append(state, rest);
    }
    return finish(state);
  }

  /** Goes on from {@code state} with one more number; never maps two states to one. */
  static long append(long state, long next) {
    long product = (state ^ next) * MULTIPLIER;
    return product ^ (product >>> 32);
  }

  /** The hash of everything appended: the finalizer of MurmurHash3, folded to its better half. */
  static int finish(long state) {
    long hash = state;
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return (int) (hash >>> 32);
  }
}
