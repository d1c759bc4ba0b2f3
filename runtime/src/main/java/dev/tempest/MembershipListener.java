package dev.tempest;

/**
 * Is called when another member joins, leaves, falls silent or returns. A member that restarts at
 * its address leaves, then joins, in this order and once each.
 */
@FunctionalInterface
public interface MembershipListener {
  /** Another member has changed. Called by one thread, in the order of the changes. */
  void changed(MemberChange change);
}
