package dev.tempest.sessions;

import java.util.Objects;

/**
 * A codec of an application, of which nobody knows what it throws: what it fails to write counts as
 * refused, and what it fails to read as unreadable; no other attribute is lost with it.
 */
record CarefulCodec(AttributeCodec codec) implements AttributeCodec {
  @Override
  public byte[] encode(Object value) {
    try {
      return Objects.requireNonNull(codec.encode(value), "the codec has answered no bytes");
    } catch (IllegalArgumentException refused) {
      throw refused;
    } catch (Throwable thrown) {
      Throwable failed = OfValue.failure(thrown);
      throw OfValue.unkept(value, failed.toString(), failed);
    }
  }

  @Override
  public Object decode(byte[] bytes) throws UnreadableAttributeException {
    try {
      return Objects.requireNonNull(codec.decode(bytes), "the codec has answered no value");
    } catch (UnreadableAttributeException unreadable) {
      throw unreadable;
    } catch (Throwable thrown) {
      throw OfValue.unreadable(thrown);
    }
  }
}
