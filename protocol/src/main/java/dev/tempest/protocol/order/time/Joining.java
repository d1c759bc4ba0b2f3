package dev.tempest.protocol.order.time;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How a replica without state finds one: it asks the others in turn, and starts with none only if
 * all of them say that they have none either. Who says nothing may have state: it is waited for
 * until it is no member any more. So is, for a while, a replica that had state and is gone.
 *
 * <p>Does not transfer anything itself, and does not know what a state is.
 */
final class Joining {
  /** How long to wait for one replica before asking the next. */
  static final int ASK_AGAIN_MILLIS = 200;

  /** So long after the last word of one that had state and is gone, its state counts as lost. */
  static final int GONE_MILLIS = 60_000;

  /** So many questions in a row without any answer are worth a word. */
  private static final int UNANSWERED_MANY = 50;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final List<Long> others;
  private final Set<Long> withoutState = new TreeSet<>();

  /** Who had state, and when it was last heard. */
  private final SortedMap<Long, Long> withState = new TreeMap<>();

  private int next;
  private int unanswered;
  private long askAtNanos;

  Joining(List<Long> others, long nowNanos) {
    this.others = others;
    this.askAtNanos = nowNanos;
  }

  /** Takes over who had state in an earlier view. */
  void remember(Joining earlier) {
    withState.putAll(earlier.withState);
  }

  /** When there is something to do again. */
  long nextTickNanos() {
    return askAtNanos;
  }

  /** Whether to start with no state. */
  boolean startsEmpty(long nowNanos) {
    return withoutState.containsAll(others)
        && withState.values().stream()
            .allMatch(heard -> nowNanos - heard >= GONE_MILLIS * NANOS_PER_MILLI);
  }

  boolean asksNow(long nowNanos) {
    return nowNanos >= askAtNanos;
  }

  /** The replica to ask now; 0 if there is none to ask. */
  long ask(long nowNanos) {
    askAtNanos = nowNanos + ASK_AGAIN_MILLIS * NANOS_PER_MILLI;
    if (others.isEmpty()) {
      return 0;
    }
    unanswered++;
    long asked = others.get(next);
    next = (next + 1) % others.size();
    return asked;
  }

  /** Whether now is a time to tell people that nobody answers. */
  boolean isHindered() {
    return unanswered % UNANSWERED_MANY == UNANSWERED_MANY - 1;
  }

  /** Another replica has no state either: ask the next one at once. */
  void hasNone(long other, long nowNanos) {
    withoutState.add(other);
    withState.remove(other);
    unanswered = 0;
    askAtNanos = nowNanos;
  }

  /** Another replica has state: to start with none would not do any more. */
  void hasState(long other, long nowNanos) {
    withoutState.remove(other);
    withState.put(other, nowNanos);
    unanswered = 0;
    next = Math.max(0, others.indexOf(other));
  }
}
