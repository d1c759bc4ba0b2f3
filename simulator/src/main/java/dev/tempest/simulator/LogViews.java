package dev.tempest.simulator;

import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.wire.GroupView;

/**
 * The view service of a {@link LogWorld} with a primary: it says one view after the other, and
 * whoever asks is answered late, or not at all.
 */
final class LogViews {
  private static final long MILLI = 1_000_000;
  private static final int LOSS_MAX_PERCENT = 70;
  private static final int COPIES_MAX = 3;
  private static final int LATE_MAX_MILLIS = 200;

  private final LogWorld world;
  private final Randomness random;
  private final int copies;
  private final int lossPercent;
  private final int lateMillis;
  private GroupView latest = GroupView.NONE;

  /**
   * Of these, of whom some at least have a copy.
   *
   * @param random of its own, so that all else is as it is without it
   */
  LogViews(LogWorld world, int replicas, Randomness random) {
    this.world = world;
    this.random = random;
    this.copies = random.between(1, Math.min(replicas, COPIES_MAX));
    this.lossPercent = random.below(LOSS_MAX_PERCENT);
    this.lateMillis = random.between(1, LATE_MAX_MILLIS);
  }

  /** How many members a view has where there are enough replicas. */
  int copies() {
    return copies;
  }

  GroupView latest() {
    return latest;
  }

  /** A replica wants a view to be the latest. */
  void ask(LogReplica by, GroupView wanted) {
    arriveLater(() -> {
      if (!by.isDead() && latest.mayBecome(wanted)) { // It would take all that is left along.
        latest = wanted;
        world.trace("views", "come to " + latest + " as " + by.name() + " wants");
      }
      GroupView answer = latest;
      arriveLater(() -> by.step(new Event.Viewed(world.nowNanos(), answer)));
    });
  }

  private void arriveLater(Runnable message) {
    boolean isOdd = !world.isHealed();
    if (!isOdd || !random.chance(lossPercent)) {
      world.after(random.below(isOdd ? lateMillis : 5) * MILLI, message);
    }
  }

  /** Whether all have come to its latest view, and that is as large as it can be. */
  boolean isSettled() {
    return latest.isComplete()
        && latest.members().size() == Math.min(copies, world.wanted().size())
        && world.wanted().containsAll(latest.members())
        && latest.members().stream()
            .map(each -> world.replica(each.intValue()))
            .allMatch(each -> !each.isDead() && each.members().equals(latest.members()));
  }
}
