package dev.tempest.state;

/** All state objects of a service at one moment. Immutable and thread-safe. */
public final class Version {
  Version() {}
}
