package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import java.util.List;

/**
 * Tells people once that a replica cannot execute what others have executed, and once it can.
 *
 * <p>It keeps meanwhile what the others settle: they may end, and it is what there is. But not
 * without end: if it comes to no state of theirs, it gives up.
 */
final class Suspension {
  private final Window window;
  private final long keptMaxBytes;
  private boolean isTold;

  /** The last epoch in which this replica may have executed what no other one has. */
  private long ownThrough;

  /** Another replica has settled all through that epoch, and this one keeps it. */
  private long settledElsewhere;

  private long keptBytes;

  Suspension(Window window, long keptMaxBytes) {
    this.window = window;
    this.keptMaxBytes = keptMaxBytes;
  }

  /** Another replica has settled an epoch, of which this one has all entries, and all before. */
  void settledElsewhere(long throughEpoch) {
    long settled = window.settled().throughEpoch();
    if (settledElsewhere <= settled) { // What was kept before has come as a state.
      settledElsewhere = settled;
      keptBytes = 0;
    }
    if (throughEpoch > settledElsewhere) {
      window.epochs().subMap(settledElsewhere, false, throughEpoch, true).values().stream()
          .flatMap(epoch -> epoch.entries().stream())
          .forEach(entry -> keptBytes += entry.sizeBytes());
      settledElsewhere = throughEpoch;
    }
  }

  void look(List<Effect> effects) {
    String cannot = window.cannot();
    if (isTold != (cannot != null)) {
      isTold = !isTold;
      ownThrough = window.epochs().isEmpty() ? 0 : window.epochs().lastKey();
      effects.add(cannot == null ? new Effect.Resumed() : new Effect.Suspended(cannot));
    }
    if (cannot != null && keptBytes > keptMaxBytes && settledElsewhere >= ownThrough) {
      effects.add(new Effect.GaveUp(cannot));
    }
  }
}
