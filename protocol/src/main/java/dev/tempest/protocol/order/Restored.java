package dev.tempest.protocol.order;

/** What a replica begins with that comes back from a {@link Checkpoint}. Used once. */
public interface Restored {
  /** Which replica had it; 0 if nobody knows. */
  long replica();

  /**
   * What its process had, in words for people, such as "its checkpoint"; empty if nothing of that
   * counts.
   */
  String source();

  /** How many updates were executed for it. */
  long executed();

  /** See {@link Checkpoint#mark}. */
  Object mark();
}
