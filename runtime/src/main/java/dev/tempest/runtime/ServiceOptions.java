package dev.tempest.runtime;

import dev.tempest.protocol.Reconcile;

/**
 * How a server runs one of its services; the same at all servers. Immutable.
 *
 * @param reconcile what two replicas do of which each has what the other lacks
 * @param executeAny whether one server executes each update, any, and the others apply what it
 *     wrote; else all execute it
 */
public record ServiceOptions(Reconcile reconcile, boolean executeAny) {
  /** What applies where nothing is said. */
  public static final ServiceOptions DEFAULTS = new ServiceOptions(Reconcile.MERGE, false);

  /** The same with another way to reconcile. */
  public ServiceOptions withReconcile(Reconcile chosen) {
    return new ServiceOptions(chosen, executeAny);
  }

  /** The same with updates that any one server executes, or all. */
  public ServiceOptions withExecuteAny(boolean any) {
    return new ServiceOptions(reconcile, any);
  }
}
