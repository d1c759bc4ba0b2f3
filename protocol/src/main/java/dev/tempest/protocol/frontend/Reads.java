package dev.tempest.protocol.frontend;

/**
 * How many replicas a read asks. The first answer counts, the others are ignored: that hides a
 * replica that is slow for a moment, at the price of executing the read several times.
 *
 * @param replicas how many at most, those first that are fast now; more than there are means all
 * @param hedged whether the second is asked only when the first has taken longer than nearly all
 *     reads do, and so on: nearly the same latency for little more than one execution
 */
public record Reads(int replicas, boolean hedged) {
  /** Refuses to ask nobody. */
  public Reads {
    if (replicas < 1) {
      throw new IllegalArgumentException("a read asks at least 1 replica, not " + replicas);
    }
  }

  /** Asks so many at once. */
  public static Reads of(int replicas) {
    return new Reads(replicas, false);
  }

  /** Asks one, and one more up to so many whenever the usual time has passed. */
  public static Reads hedged(int replicas) {
    return new Reads(replicas, true);
  }
}
