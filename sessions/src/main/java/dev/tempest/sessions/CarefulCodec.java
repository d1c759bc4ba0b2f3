package dev.tempest.sessions;

/**
 * A codec of an application, of which nobody knows what it throws: a value that it fails at is as
 * one that it refuses, so that no request loses its other attributes, and none that it cannot read.
 */
record CarefulCodec(AttributeCodec codec) implements AttributeCodec {
  @Override
  public byte[] encode(Object value) {
    try {
      return codec.encode(value);
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
      return codec.decode(bytes);
    } catch (UnreadableAttributeException unreadable) {
      throw unreadable;
    } catch (Throwable thrown) {
      Throwable failed = OfValue.failure(thrown);
      throw new UnreadableAttributeException("cannot be read here: " + failed, failed);
    }
  }
}
