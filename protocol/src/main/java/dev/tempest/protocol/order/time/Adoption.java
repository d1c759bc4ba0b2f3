package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.time.AntiEntropy.Comparison;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.Message.Want;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a replica does when it and another one each have executed what the other has not:
 * keeps everything, or, under {@link Reconcile#ADOPT}, lets the one with fewer updates give up its
 * own (the three cases of Tempest, section 3.2).
 *
 * <p>A replica gives up in the same step in which it takes the first of what it gives them up for,
 * never before: whatever gets lost on the way, one of the two has executed something that counts,
 * as long as the other one keeps its memory until that step. Where two are about to give up for
 * each other, neither does. Not thread-safe.
 */
final class Adoption {
  /** What one side of an exchange does. */
  enum Step {
    /** Each takes what it lacks, which may be nothing. */
    EXCHANGE,
    /** This replica asks for the other's updates, and gives its own up when they come. */
    TAKE_THEIRS,
    /** The other replica is to do that. */
    LEAVE_IT_TO_THEM
  }

  /** For so long what was asked for may be on its way. */
  private static final long ON_THE_WAY_NANOS = 1_000 * ReplicaClock.NANOS_PER_MILLI;

  /** What is given up once any of {@code theirs} comes from the other replica. */
  private record Intention(long other, IdSet ours, IdSet theirs, long untilNanos) {}

  private final Reconcile reconcile;
  private final ReplicaClock clock;
  private @Nullable Intention intention;

  Adoption(Reconcile reconcile, ReplicaClock clock) {
    this.reconcile = reconcile;
    this.clock = clock;
  }

  /** Whether both sides always keep what they have. */
  boolean isMerging() {
    return reconcile == Reconcile.MERGE;
  }

  /**
   * What to do about another replica that has shown what it has: whoever is asked first shows, so
   * that this replica is the one that has begun.
   *
   * <p>All that is compared is old enough to have arrived unless it was lost, and whatever the two
   * do not compare they have in common: so the rests compare as the sets do.
   */
  Step about(long other, Comparison comparison) {
    long ours = comparison.onlyOurs().size();
    long theirs = comparison.onlyTheirs().size();
    if (isMerging() || ours == 0 || theirs == 0) {
      return Step.EXCHANGE;
    }
    if (ours > theirs) {
      return Step.LEAVE_IT_TO_THEM;
    }
    intention =
        new Intention(
            other,
            comparison.onlyOurs(),
            comparison.onlyTheirs(),
            clock.nowNanos() + ON_THE_WAY_NANOS);
    return Step.TAKE_THEIRS;
  }

  /** Another replica wants entries: those that it gives its own up for are to be kept. */
  void wanted(Want want) {
    Intention intended = intention;
    if (intended != null
        && intended.other() == want.replica()
        && !intended.ours().and(IdSet.of(want.ids())).isEmpty()) {
      intention = null;
    }
  }

  /** What is given up because these have come; mostly nothing. */
  IdSet givenUpFor(Repair repair) {
    Intention intended = intention;
    if (intended == null || intended.other() != repair.replica()) {
      return new IdSet();
    }
    if (intended.untilNanos() < clock.nowNanos()) {
      intention = null;
      return new IdSet();
    }
    for (Entry entry : repair.entries()) {
      if (intended.theirs().contains(entry.id())) {
        intention = null;
        return intended.ours();
      }
    }
    return new IdSet();
  }
}
