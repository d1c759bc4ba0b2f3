package dev.tempest.admin;

import dev.tempest.wire.Versions;

/**
 * The versions of Tempest's protocol that a process speaks: all from the lowest to the highest.
 * Processes work together that share one.
 */
public record ProtocolVersions(int lowest, int highest) {
  /** What this process speaks. */
  public static ProtocolVersions own() {
    return of(Versions.SPOKEN);
  }

  static ProtocolVersions of(Versions versions) {
    return new ProtocolVersions(versions.lowest(), versions.highest());
  }

  /** For people, such as {@code version 2} or {@code versions 2 to 4}. */
  @Override
  public String toString() {
    return new Versions(lowest, highest).toString();
  }
}
