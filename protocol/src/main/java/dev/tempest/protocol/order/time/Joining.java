package dev.tempest.protocol.order.time;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a replica without state gets one: it asks the others in turn for theirs, and starts with none
 * only if they all say that they have none either, or none of them is heard of at all.
 *
 * <p>Does not transfer anything itself, and does not know what a state is.
 */
final class Joining {
  /** How long to wait for one replica before asking the next. */
  static final int ASK_AGAIN_MILLIS = 200;

  /** How long to wait once somebody with state was heard of: it is probably on its way. */
  static final int TRANSFER_MILLIS = 1_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final List<Long> others;
  private final Set<Long> withoutState = new TreeSet<>();

  /**
   * So many questions in a row without an answer mean that nobody has state. Questions and not time
   * alone: while this process stalls, as it does when it starts, answers wait unread.
   */
  private final int unansweredMax;

  private int next;
  private int unanswered;
  private boolean stateHeard;
  private long askAtNanos;

  Joining(List<Long> others, int joinTimeoutMillis, long nowNanos) {
    this.others = others;
    this.unansweredMax = Math.max(others.size(), joinTimeoutMillis / ASK_AGAIN_MILLIS);
    this.askAtNanos = nowNanos;
  }

  /** When there is something to do again. */
  long nextTickNanos() {
    return askAtNanos;
  }

  /** Whether to start with no state. */
  boolean startsEmpty(long nowNanos) {
    return withoutState.size() == others.size()
        || (unanswered >= unansweredMax && nowNanos >= askAtNanos);
  }

  boolean asksNow(long nowNanos) {
    return nowNanos >= askAtNanos;
  }

  /** The replica to ask now. */
  long ask(long nowNanos) {
    unanswered++;
    int waitMillis = stateHeard ? TRANSFER_MILLIS : ASK_AGAIN_MILLIS;
    askAtNanos = nowNanos + waitMillis * NANOS_PER_MILLI;
    long asked = others.get(next);
    next = (next + 1) % others.size();
    return asked;
  }

  /** Another replica has no state either: ask the next one at once. */
  void hasNone(long other, long nowNanos) {
    withoutState.add(other);
    unanswered = Math.max(0, unanswered - 1);
    askAtNanos = nowNanos;
  }

  /** Another replica has state: to start with none would not do any more. */
  void hasState(long other) {
    withoutState.remove(other);
    unanswered = 0;
    stateHeard = true;
    next = others.indexOf(other);
  }
}
