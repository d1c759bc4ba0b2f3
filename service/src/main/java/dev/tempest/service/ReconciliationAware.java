package dev.tempest.service;

/**
 * Implemented by a service class that wants to be told when gossip has changed its past (the upcall
 * of Tempest, section 3.2).
 */
public interface ReconciliationAware {
  /**
   * Updates have come late, or were given up.
   *
   * <p>Called on one replica, by the thread that executes its updates: return soon. The state can
   * be read, as it is now; it cannot be written, since the other replicas would know nothing of it.
   * Whatever is to be done about it in the state is an update, sent through a front-end like any
   * other. Told at least once for every reconciliation, some of them together; never about updates
   * that merely were on their way. What it throws is logged, and changes nothing.
   */
  void reconciled(Reconciliation what);
}
