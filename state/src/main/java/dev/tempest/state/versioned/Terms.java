package dev.tempest.state.versioned;

/**
 * How a collection is kept.
 *
 * @param decidesEverywhere whether every replica decides conditional writes, such as {@code
 *     putIfAbsent}, in the order of all writes; otherwise the writer decides, and its changes
 *     travel
 */
public record Terms(Lifetime lifetime, boolean decidesEverywhere) {
  /** Entries stay until they are removed; the writer decides. */
  public static final Terms DEFAULT = new Terms(Lifetime.UNLIMITED, false);
}
