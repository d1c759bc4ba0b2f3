package dev.tempest.service;

import java.util.List;

/**
 * How the past of one replica has changed: updates were inserted before others that it had already
 * executed, or updates that it had executed were withdrawn. Which of the two happen, and when,
 * depends on the order; its page says so.
 *
 * @param inserted updates that were inserted before others
 * @param withdrawn updates that were executed here and no longer count
 * @param collections the collections that have changed meanwhile, through these or other updates,
 *     by kind and name: {@code map 'carts'}
 */
public record Reconciliation(Updates inserted, Updates withdrawn, List<String> collections) {
  /** Takes a copy. */
  public Reconciliation {
    collections = List.copyOf(collections);
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
