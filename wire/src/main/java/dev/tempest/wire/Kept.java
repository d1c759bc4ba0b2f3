package dev.tempest.wire;

import java.util.List;

/**
 * Which settled entries come with a state, because somebody who is away may lack them, and come
 * back with something else.
 *
 * @param sinceEpoch of the calls all that settled in later epochs; of what was written some
 * @param away who may lack them, by ascending ids; if nobody does, none come
 */
public record Kept(long sinceEpoch, List<Absence> away) {
  /** Whoever has begun without the others: nobody knows who that may be. */
  public static final long ANYBODY = 0;

  /** The most absences; of more, the earliest are forgotten. */
  public static final int AWAY_MAX = 256;

  /** None, for nobody. */
  public static final Kept NONE = new Kept(-1, List.of());

  /**
   * A replica has been away for so long.
   *
   * @param replica its id, or {@link #ANYBODY}
   */
  public record Absence(long replica, long forMillis) {}
}
