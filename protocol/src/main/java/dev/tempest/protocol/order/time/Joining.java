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

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final List<Long> others;
  private final Set<Long> withoutState = new TreeSet<>();
  private final long joinTimeoutNanos;
  private int next;
  private boolean asked;
  private long askAtNanos;
  private long giveUpAtNanos;

  Joining(List<Long> others, int joinTimeoutMillis, long nowNanos) {
    this.others = others;
    this.joinTimeoutNanos = joinTimeoutMillis * NANOS_PER_MILLI;
    this.askAtNanos = nowNanos;
    this.giveUpAtNanos = nowNanos + joinTimeoutNanos;
  }

  /** When there is something to do again. */
  long nextTickNanos() {
    return Math.min(askAtNanos, giveUpAtNanos);
  }

  /** Whether to start with no state. */
  boolean startsEmpty(long nowNanos) {
    return withoutState.size() == others.size() || (asked && nowNanos >= giveUpAtNanos);
  }

  boolean asksNow(long nowNanos) {
    return nowNanos >= askAtNanos;
  }

  /** The replica to ask now. */
  long ask(long nowNanos) {
    if (!asked) {
      // A slow start must not use up the time that the others have to answer.
      asked = true;
      giveUpAtNanos = nowNanos + joinTimeoutNanos;
    }
    askAtNanos = nowNanos + ASK_AGAIN_MILLIS * NANOS_PER_MILLI;
    long asked = others.get(next);
    next = (next + 1) % others.size();
    return asked;
  }

  /** Another replica has no state either: ask the next one at once. */
  void hasNone(long other, long nowNanos) {
    withoutState.add(other);
    askAtNanos = nowNanos;
  }

  /** Another replica has state: to start with none would not do any more. */
  void hasState(long other, long nowNanos) {
    withoutState.remove(other);
    giveUpAtNanos = nowNanos + joinTimeoutNanos;
    next = others.indexOf(other);
  }
}
