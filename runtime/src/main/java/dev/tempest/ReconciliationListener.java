package dev.tempest;

/** Told when writes of others have come in late. */
@FunctionalInterface
public interface ReconciliationListener {
  /**
   * Late writes have been put where they belong.
   *
   * @param writes how many of them
   */
  void reconciled(long writes);
}
