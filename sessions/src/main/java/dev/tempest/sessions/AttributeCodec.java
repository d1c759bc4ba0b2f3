package dev.tempest.sessions;

/**
 * How values of attributes become bytes. Thread-safe. Anything else it throws counts as a refusal
 * of the value, or as a value that cannot be read here; only errors of the machine, other than a
 * {@link StackOverflowError}, are passed on.
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
