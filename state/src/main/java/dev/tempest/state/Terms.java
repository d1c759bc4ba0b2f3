package dev.tempest.state;

/**
 * On what terms a collection is kept.
 *
 * @param decidesEverywhere whether writes that depend on what is there, {@code putIfAbsent} and its
 *     like, are decided by every replica in the order of all writes; otherwise the writer decides,
 *     and what it wrote travels
 */
public record Terms(Lifetime lifetime, boolean decidesEverywhere) {
  /** Entries stay until they are removed; the writer decides. */
  public static final Terms DEFAULT = new Terms(Lifetime.UNLIMITED, false);
}
