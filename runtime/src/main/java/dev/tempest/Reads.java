package dev.tempest;

/**
 * How many replicas a read asks. The first answer counts. Asking several hides a replica that is
 * slow for a moment, but executes the read several times.
 *
 * @param replicas the most replicas to ask, fastest first; at least 1; more than there are means
 *     all
 * @param hedged whether to ask each further replica only when the read has taken longer than nearly
 *     all reads do: nearly the same latency for little more than one execution
 */
public record Reads(int replicas, boolean hedged) {
  /** Refuses less than one replica. */
  public Reads {
    if (replicas < 1) {
      throw new IllegalArgumentException("A read must ask at least 1 replica, not " + replicas);
    }
  }

  /** Asks that many replicas at once. */
  public static Reads of(int replicas) {
    return new Reads(replicas, false);
  }

  /** Asks one replica, and up to that many when it is late. */
  public static Reads hedged(int replicas) {
    return new Reads(replicas, true);
  }
}
