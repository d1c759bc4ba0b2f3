package dev.tempest.sessions;

import org.jspecify.annotations.Nullable;

/** What {@link Session#encode} has made of a value. Immutable, but for the value. */
public final class EncodedAttribute {
  final String name;
  final Object value;
  final byte[] bytes;

  /** As the same object had been encoded before; null if the session did not have it. */
  final byte @Nullable [] before;

  EncodedAttribute(String name, Object value, byte[] bytes, byte @Nullable [] before) {
    this.name = name;
    this.value = value;
    this.bytes = bytes;
    this.before = before;
  }
}
