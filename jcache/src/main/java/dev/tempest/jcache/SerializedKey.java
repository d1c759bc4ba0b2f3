package dev.tempest.jcache;

/** A key that is written by Java's serialization; keys cannot be arrays. */
record SerializedKey(String base64) {}
