package dev.tempest.protocol.order;

/** What a replica begins with that comes back from a {@link Checkpoint}. Used once. */
public interface Restored {
  /** How many updates were executed for it. */
  long executed();

  /** See {@link Checkpoint#mark}. */
  Object mark();
}
