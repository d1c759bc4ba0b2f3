package dev.tempest.protocol.order.time;

/** What two replicas do of which each has executed what the other has not. */
public enum Reconcile {
  /** Both take what they lack: no update is lost while a replica that executed it lives. */
  MERGE,

  /**
   * The one with fewer updates gives up those that the other lacks and takes the other's (Tempest,
   * section 3.2): updates are lost that were acknowledged.
   */
  ADOPT
}
