package dev.tempest.protocol;

/** The number that stands for a name on the wire. */
public final class NameHash {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private NameHash() {}

  /**
   * A stable hash of a service's, server's or cluster's name: FNV-1a over its UTF-16 code units.
   */
  public static long of(String name) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }
}
