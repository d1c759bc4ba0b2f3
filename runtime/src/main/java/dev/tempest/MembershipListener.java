package dev.tempest;

/** Is told who joins, leaves, falls silent and returns. */
@FunctionalInterface
public interface MembershipListener {
  /** Something has become of another member. Called by one thread, in the order of the changes. */
  void changed(MemberChange change);
}
