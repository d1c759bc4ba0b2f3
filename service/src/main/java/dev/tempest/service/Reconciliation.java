package dev.tempest.service;

import java.util.List;

/**
 * What gossip has changed about the past of one replica: updates that came so late that others may
 * have acted without them, after a partition or a long absence, and updates that were given up.
 *
 * @param late updates that came late, each executed in its place
 * @param givenUp updates that were executed here and count no more; none where replicas merge
 * @param objects the state objects that are not what they were before, by kind and name: {@code map
 *     'carts'}, whichever updates have changed them meanwhile
 */
public record Reconciliation(Updates late, Updates givenUp, List<String> objects) {
  /** Takes a copy. */
  public Reconciliation {
    objects = List.copyOf(objects);
  }

  /**
   * Some updates.
   *
   * @param count how many
   * @param ids of them, as many as are known and at most {@link #IDS_MAX}
   */
  public record Updates(long count, List<Id> ids) {
    /** As many ids are named. */
    public static final int IDS_MAX = 1_000;

    /** Takes a copy. */
    public Updates {
      ids = List.copyOf(ids);
    }
  }

  /**
   * The name of one update.
   *
   * @param client 64 random bits of the front-end's or process's incarnation
   * @param sequence the number of the update among the client's to this service, from 1
   */
  public record Id(long client, long sequence) {}
}
