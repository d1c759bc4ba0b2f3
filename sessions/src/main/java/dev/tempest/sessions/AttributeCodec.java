package dev.tempest.sessions;

/**
 * How values of attributes become bytes. Thread-safe. Whatever else one throws counts as that it
 * refuses the value, or cannot make it; but for errors of the machine, which go on.
 */
public interface AttributeCodec {
  /**
   * The bytes of a value.
   *
   * @throws IllegalArgumentException if it cannot be encoded; the message says why
   */
  byte[] encode(Object value);

  /**
   * The value of such bytes.
   *
   * @throws UnreadableAttributeException if this process cannot make it, as when it lacks the class
   */
  Object decode(byte[] bytes) throws UnreadableAttributeException;

  /**
   * Java's own serialization.
   *
   * @param loader finds the classes of attributes: that of the web application
   */
  static AttributeCodec javaSerialization(ClassLoader loader) {
    return new JavaSerialization(loader);
  }
}
