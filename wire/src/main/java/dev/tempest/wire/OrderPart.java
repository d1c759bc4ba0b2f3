package dev.tempest.wire;

/**
 * What an update or a reply says to the order of its service alone: all others hand it on unread.
 */
public sealed interface OrderPart {
  /** What is said where there is no order, or one that needs nothing. */
  OrderPart NONE = new None();

  /** Nothing. */
  record None() implements OrderPart {}

  /**
   * Of order by time; and of a refusal by a log from which nothing follows but the time.
   *
   * @param stamp a hybrid logical clock, not negative: of an update that of its front-end when the
   *     update got it, of a reply that of the replica
   */
  record Stamped(long stamp) implements OrderPart {}

  /**
   * Of order by consensus, in a reply.
   *
   * @param stamp the clock of the replica, not negative; of an update that is refused since it is
   *     too late, the time of what is committed
   * @param slot all entries of the log below it had been executed there
   */
  record Logged(long stamp, long slot) implements OrderPart {}

  /**
   * Of order by consensus, in a reply of a replica that has voted for the update. It counts once so
   * many replicas say the same.
   *
   * @param stamp the clock of the replica, not negative
   * @param slot it has voted for all entries below it
   * @param hash of these, and of the ballot and the period
   * @param needed how many
   */
  record Voted(long stamp, long slot, long hash, int needed) implements OrderPart {
    /** Refuses what is no quorum. */
    public Voted {
      if (needed < 1) {
        throw new IllegalArgumentException("at least 1 replica votes, not " + needed);
      }
    }
  }
}
