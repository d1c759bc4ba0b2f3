package dev.tempest.jcache;

/** A value that is written by Java's serialization. */
@SuppressWarnings("ArrayRecordComponent") // The collection compares it, by its contents.
record SerializedValue(byte[] bytes) {}
