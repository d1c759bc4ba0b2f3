package dev.tempest.runtime;

import dev.tempest.protocol.Reconcile;

/**
 * How a server runs one of its services; the same at all servers. Immutable.
 *
 * @param reconcile what two replicas do of which each has what the other lacks
 */
public record ServiceOptions(Reconcile reconcile) {
  /** What applies where nothing is said. */
  public static final ServiceOptions DEFAULTS = new ServiceOptions(Reconcile.MERGE);

  /** The same with another way to reconcile. */
  public ServiceOptions withReconcile(Reconcile chosen) {
    return new ServiceOptions(chosen);
  }
}
