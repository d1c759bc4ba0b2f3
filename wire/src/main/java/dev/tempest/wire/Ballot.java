package dev.tempest.wire;

import java.util.Comparator;

/**
 * Who may lead, and when: of two, the higher one counts. Nobody leads twice by the same.
 *
 * @param number from 1; 0 if nobody has led yet
 * @param replica who leads
 */
public record Ballot(long number, long replica) implements Comparable<Ballot> {
  /** Before all others. */
  public static final Ballot NONE = new Ballot(0, 0);

  /** At a thousand elections a second it lasts for longer than there are computers. */
  static final long NUMBER_MAX = 1L << 60;

  private static final Comparator<Ballot> ORDER =
      Comparator.comparingLong(Ballot::number).thenComparingLong(Ballot::replica);

  /** Refuses what nobody can have come to. */
  public Ballot {
    if (number < 0 || number > NUMBER_MAX) {
      throw new IllegalArgumentException("no ballot has the number " + number);
    }
  }

  @Override
  public int compareTo(Ballot that) {
    return ORDER.compare(this, that);
  }

  /** Whether it is below another one. */
  public boolean isBelow(Ballot that) {
    return compareTo(that) < 0;
  }

  /** Above this one, for another replica to lead. */
  public Ballot next(long leader) {
    return new Ballot(number + 1, leader);
  }
}
