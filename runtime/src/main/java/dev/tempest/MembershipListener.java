package dev.tempest;

/** Is called when another member joins, leaves, falls silent or returns. */
@FunctionalInterface
public interface MembershipListener {
  /** Another member has changed. Called by one thread, in the order of the changes. */
  void changed(MemberChange change);
}
