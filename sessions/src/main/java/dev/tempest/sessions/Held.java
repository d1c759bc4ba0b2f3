package dev.tempest.sessions;

/** A value as requests have it that share it. Thread-safe, but for the value. */
final class Held {
  final Object value;

  /** As it was read or set, until it is saved. */
  volatile byte[] bytes;

  /**
   * As it was encoded last. Others than it was read from if it comes back differently: a map with
   * room to spare has less of it then.
   */
  volatile byte[] encoded;

  Held(Object value, byte[] bytes, byte[] encoded) {
    this.value = value;
    this.bytes = bytes;
    this.encoded = encoded;
  }
}
