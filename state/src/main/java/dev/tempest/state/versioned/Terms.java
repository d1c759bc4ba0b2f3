package dev.tempest.state.versioned;

/**
 * How a collection is kept.
 *
 * @param decidesEverywhere whether every replica decides conditional writes, such as {@code
 *     putIfAbsent}, in the order of all writes; otherwise the writer decides, and its changes
 *     travel
 * @param isElsewhere whether what code here declares by that name is kept in another state: only
 *     nodes that are configured otherwise have it in this one
 */
public record Terms(Lifetime lifetime, boolean decidesEverywhere, boolean isElsewhere) {
  /** Entries stay until they are removed; the writer decides. */
  public static final Terms DEFAULT = new Terms(Lifetime.UNLIMITED, false);

  /** Of one that is kept in this state. */
  public Terms(Lifetime lifetime, boolean decidesEverywhere) {
    this(lifetime, decidesEverywhere, false);
  }
}
