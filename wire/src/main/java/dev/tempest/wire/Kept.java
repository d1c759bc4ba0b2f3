package dev.tempest.wire;

import java.util.List;

/**
 * Which settled entries come with a state, because somebody who is away may lack them, and come
 * back with something else.
 *
 * @param sinceEpoch of the calls all that settled in later epochs; of changes some
 * @param away who may lack them, by ascending ids, {@link #ANYBODY} among them; if nobody does,
 *     none come
 */
public record Kept(long sinceEpoch, List<Long> away) {
  /** Whoever has begun without the others: nobody knows who that may be. */
  public static final long ANYBODY = 0;

  /** None, for nobody. */
  public static final Kept NONE = new Kept(-1, List.of());
}
