package dev.tempest.values.encoding;

import java.nio.charset.StandardCharsets;

/**
 * UTF-8 in which unpaired surrogates, which Java strings may hold, are encoded as the code points
 * that they are (WTF-8): every string comes back as it was, and has one encoding only.
 */
final class Utf8 {
  private static final int CONTINUATION_BITS = 6;

  private Utf8() {}

  /** The number of bytes that {@link #put} writes. */
  static long size(String value) {
    long size = 0;
    int length = value.length();
    for (int i = 0; i < length; i++) {
      char unit = value.charAt(i);
      if (unit < 0x80) {
        size++;
      } else if (unit < 0x800) {
        size += 2;
      } else if (isPair(value, i)) {
        size += 4;
        i++;
      } else {
        size += 3;
      }
    }
    return size;
  }

  /** Writes {@code value} at {@code index}, where there has to be room; returns where it ends. */
  static int put(String value, byte[] bytes, int index) {
    int at = index;
    int length = value.length();
    for (int i = 0; i < length; i++) {
      int unit = value.charAt(i);
      if (unit < 0x80) {
        bytes[at++] = (byte) unit;
      } else if (unit < 0x800) {
        bytes[at++] = (byte) (0xC0 | (unit >> CONTINUATION_BITS));
        bytes[at++] = continuation(unit);
      } else if (isPair(value, i)) {
        int codePoint = value.codePointAt(i);
        bytes[at++] = (byte) (0xF0 | (codePoint >> (3 * CONTINUATION_BITS)));
        bytes[at++] = continuation(codePoint >> (2 * CONTINUATION_BITS));
        bytes[at++] = continuation(codePoint >> CONTINUATION_BITS);
        bytes[at++] = continuation(codePoint);
        i++;
      } else {
        bytes[at++] = (byte) (0xE0 | (unit >> (2 * CONTINUATION_BITS)));
        bytes[at++] = continuation(unit >> CONTINUATION_BITS);
        bytes[at++] = continuation(unit);
      }
    }
    return at;
  }

  /** Reads what {@link #put} wrote. */
  static String decode(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int at = offset;
    while (at < end && bytes[at] >= 0) {
      at++;
    }
    return at == end
        ? new String(bytes, offset, length, StandardCharsets.ISO_8859_1)
        : decodeBeyondAscii(bytes, offset, end);
  }

  private static String decodeBeyondAscii(byte[] bytes, int offset, int end) {
    char[] units = new char[end - offset];
    int count = 0;
    int at = offset;
    while (at < end) {
      int first = bytes[at];
      int size = sizeFrom(first);
      if (size > end - at) {
        throw malformed();
      }
      // A leading byte has as many ones as there are bytes, then a zero: 7, 5, 4 or 3 bits are
      // left.
      int codePoint = size == 1 ? first : first & (0x7F >> size);
      for (int i = 1; i < size; i++) {
        if ((bytes[at + i] & 0xC0) != 0x80) {
          throw malformed();
        }
        codePoint = (codePoint << CONTINUATION_BITS) | (bytes[at + i] & 0x3F);
      }
      at += size;
      count = append(codePoint, size, units, count);
    }
    return new String(units, 0, count);
  }

  private static int append(int codePoint, int size, char[] units, int count) {
    boolean shortest =
        switch (size) {
          case 1 -> true;
          case 2 -> codePoint >= 0x80;
          case 3 -> codePoint >= 0x800;
          default -> codePoint >= 0x10000 && codePoint <= Character.MAX_CODE_POINT;
        };
    if (!shortest) {
      throw malformed();
    }
    if (size == 4) {
      units[count] = Character.highSurrogate(codePoint);
      units[count + 1] = Character.lowSurrogate(codePoint);
      return count + 2;
    }
    char unit = (char) codePoint;
    if (Character.isLowSurrogate(unit)
        && count > 0
        && Character.isHighSurrogate(units[count - 1])) {
      throw malformed(); // A pair has an encoding of its own: four bytes.
    }
    units[count] = unit;
    return count + 1;
  }

  private static int sizeFrom(int first) {
    if (first >= 0) {
      return 1;
    }
    if ((first & 0xE0) == 0xC0) {
      return 2;
    }
    if ((first & 0xF0) == 0xE0) {
      return 3;
    }
    if ((first & 0xF8) == 0xF0) {
      return 4;
    }
    throw malformed();
  }

  private static boolean isPair(String value, int index) {
    return Character.isHighSurrogate(value.charAt(index))
        && index + 1 < value.length()
        && Character.isLowSurrogate(value.charAt(index + 1));
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  private static MalformedException malformed() {
    return new MalformedException("a string is not well-formed UTF-8");
  }
}
