package dev.tempest.values;

/**
 * A format for classes that are neither built in nor enums nor records, found by {@link
 * java.util.ServiceLoader}: that of the module {@code tempest-cbor} for instance.
 *
 * <p>Thread-safe. Values are encoded on their way in and decoded on their way out, as they may be
 * mutable; two are the same if their bytes are.
 */
public interface ValueFormat {
  /** How deep values may lie within each other: formats refuse what is deeper. */
  int NESTING_MAX = 64;

  /** Whether instances of exactly this class, which code has declared, can be values. */
  boolean supports(Class<?> declared);

  /**
   * The bytes of {@code value}, an instance of {@code declared}: the same for the same contents in
   * every JVM.
   *
   * @throws RuntimeException if the value cannot be written; the caller of the collection sees it
   */
  byte[] encode(Class<?> declared, Object value);

  /**
   * A new instance of {@code declared}. No byte may choose another class, here or in anything that
   * it contains, or make this method allocate much more than the bytes take.
   *
   * @throws RuntimeException if the bytes are no such value
   */
  Object decode(Class<?> declared, byte[] bytes);

  /**
   * A new instance equal to {@code value}, an instance of {@code declared}: what {@link #decode}
   * makes of what {@link #encode} writes. Formats that would drop a part of it on the way refuse it
   * here, where the caller of the collection sees it.
   *
   * @throws RuntimeException if the value cannot be written and read
   */
  default Object copy(Class<?> declared, Object value) {
    return decode(declared, encode(declared, value));
  }
}
