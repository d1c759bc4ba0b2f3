package dev.tempest.service;

/**
 * Implemented by a service class that wants to be told when the past of its replica has changed
 * (the upcall of Tempest, section 3.2).
 */
public interface ReconciliationAware {
  /**
   * Updates were inserted before others, or withdrawn.
   *
   * <p>Called on one replica, by the thread that executes its updates: return soon. The method sees
   * the state as it is now, and cannot write to it, because the other replicas would not learn of
   * it. To repair something, send an update through a front-end, as any client does. Every change
   * of the past is reported at least once; one call may report several. What this throws is logged
   * and has no other effect.
   */
  void reconciled(Reconciliation what);
}
