package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.SeenByTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Reads that wait a moment for what their clients have seen to arrive here; bounded. */
final class WaitingReads {
  /** Below the time after which a front-end asks another replica. */
  private static final long WAIT_NANOS = 20_000_000;

  /**
   * A read that waits.
   *
   * @param seen what its client has seen
   * @param lacking what it waits for; nothing if that is for something to settle
   */
  record Waiting(
      Address from, Read read, SeenByTime seen, List<ClientIds> lacking, long untilNanos) {}

  private final int most;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);

  /** Reads of which so many wait at a time. */
  WaitingReads(int most) {
    this.most = most;
  }

  /** Lets a read wait; false if too many do. */
  boolean add(Address from, Read read, SeenByTime seen, List<ClientIds> lacking, long nowNanos) {
    if (waiting.size() >= most) {
      return false;
    }
    waiting.addLast(new Waiting(from, read, seen, lacking, nowNanos + WAIT_NANOS));
    return true;
  }

  /**
   * Takes those out that have waited for long enough, or whose wait is over; all, if the replica
   * has no state any more.
   */
  List<Waiting> take(SessionGuarantees guarantees, long nowNanos, boolean active) {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<Waiting> taken = new ArrayList<>(0);
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
      Waiting each = all.next();
      if (!active || each.untilNanos() <= nowNanos || hasCome(each, guarantees)) {
        all.remove();
        taken.add(each);
      }
    }
    return taken;
  }

  private static boolean hasCome(Waiting read, SessionGuarantees guarantees) {
    return guarantees.mayHaveCome(read.lacking()) // Costs less than to compare all.
        && !guarantees.isBehind(read.seen(), guarantees.lacking(read.seen()));
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    Invariant.check(waiting.size() <= most, "no more reads wait than may");
    long previous = Long.MIN_VALUE;
    for (Waiting each : waiting) {
      Invariant.check(previous <= each.untilNanos(), "who came first waits no longer than others");
      previous = each.untilNanos();
    }
  }

  /** When the first has waited for long enough; {@link Long#MAX_VALUE} if none waits. */
  long nextTickNanos() {
    return waiting.isEmpty() ? Long.MAX_VALUE : waiting.getFirst().untilNanos();
  }
}
