package dev.tempest;

/** Is called when writes of other members arrive late. */
@FunctionalInterface
public interface ReconciliationListener {
  /**
   * Late writes were ordered before writes that were already visible.
   *
   * @param writes how many late writes
   */
  void reconciled(long writes);
}
