package dev.tempest.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The values that sessions have most, in a few bytes: an object stream takes ten times as long for
 * them. Their first byte is none that an object stream begins with.
 */
final class Simple {
  private static final byte STRING = 1;
  private static final byte INTEGER = 2;
  private static final byte LONG = 3;
  private static final byte TRUE = 4;
  private static final byte FALSE = 5;

  private Simple() {}

  /** Null if it is no such value. */
  static byte @Nullable [] encode(Object value) {
    return switch (value) {
      case String text when isWhole(text) -> {
        byte[] utf8 = text.getBytes(UTF_8);
        yield ByteBuffer.allocate(1 + utf8.length).put(STRING).put(utf8).array();
      }
      case Integer number ->
          ByteBuffer.allocate(1 + Integer.BYTES).put(INTEGER).putInt(number).array();
      case Long number -> ByteBuffer.allocate(1 + Long.BYTES).put(LONG).putLong(number).array();
      case Boolean truth -> new byte[] {truth ? TRUE : FALSE};
      default -> null;
    };
  }

  /** UTF-8 has no halves of surrogate pairs. */
  private static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Null if the bytes are of no such value. */
  static @Nullable Object decode(byte[] bytes) {
    if (bytes.length == 0) {
      return null;
    }
    ByteBuffer rest = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    return switch (bytes[0]) {
      case STRING -> new String(bytes, 1, bytes.length - 1, UTF_8);
      case INTEGER -> rest.remaining() == Integer.BYTES ? (Object) rest.getInt() : null;
      case LONG -> rest.remaining() == Long.BYTES ? (Object) rest.getLong() : null;
      case TRUE -> bytes.length == 1 ? Boolean.TRUE : null;
      case FALSE -> bytes.length == 1 ? Boolean.FALSE : null;
      default -> null;
    };
  }
}
