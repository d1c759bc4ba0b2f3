package dev.tempest.config;

/**
 * In which order the updates of a service, or the writes of a collection, count; and what reads
 * show.
 */
public enum Consistency {
  /**
   * Of a service: replicas execute at once, and agree on the order afterwards. Of a collection: a
   * write applies at once on the node that made it, and travels to the others; its {@link Preset}
   * says which of two concurrent writes wins.
   */
  EVENTUAL,
  /**
   * A majority of the members agrees on the order before an update is answered, or a write returns.
   * Updates, writes and reads are linearizable: a read shows every earlier one, unless what is
   * configured as {@code reads} of a service asks for less. Needs {@link
   * NodeConfig.Builder#members}.
   */
  LINEARIZABLE,
  /**
   * Of a service: a primary executes each update, and answers once its backup has it, too. As
   * linearizable as {@link #LINEARIZABLE}, with two copies of the state, of which one may end; the
   * other servers are there to take a place. Needs {@link NodeConfig.Builder#members}, and a
   * majority of them to agree on who is primary once one has ended (Zhang, chapter III).
   */
  PRIMARY_BACKUP
}
