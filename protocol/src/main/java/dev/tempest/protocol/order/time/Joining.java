package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Replica;
import dev.tempest.wire.Message.Prefix;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a replica that does not serve yet comes to its state: it asks the others in turn, and begins
 * with what it has itself, which may be nothing, only if all of them say that they do not serve and
 * have no more. Who says nothing may have state: it is waited for until it is no member any more.
 * So is, for a while, a replica that had state and is gone; and whoever shared a checkpoint that
 * this one has read.
 *
 * <p>Does not transfer anything itself, and does not know what a state is.
 */
final class Joining {
  /** How long to wait for one replica before asking the next. */
  static final int ASK_AGAIN_MILLIS = 200;

  /** So long after the last word of one that had state and is gone, its state counts as lost. */
  static final int GONE_MILLIS = Replica.GONE_MILLIS;

  /** So long after the start those count as lost who shared the checkpoint and are not back. */
  static final int BACK_MILLIS = 20_000;

  /** So many questions in a row without any answer are worth a word. */
  private static final int UNANSWERED_MANY = 50;

  /** So is it to wait for so many turns for others to come back. */
  private static final int TURNS_MANY = 10;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * The replica that joins.
   *
   * @param replicas how many there were when its checkpoint was written, this one included
   * @param untilNanos when it waits no more for as many
   */
  record Own(long self, int replicas, long untilNanos) {
    /** Whether another one that has this is to begin, and this one, with that, takes its state. */
    boolean yieldsTo(long other, Prefix theirs, Prefix held) {
      return theirs.count() != held.count()
          ? theirs.count() > held.count()
          : held.count() > 0 && other < self;
    }
  }

  private final Own own;
  private final List<Long> others;

  /** Who does not serve, and what it would begin with. */
  private final SortedMap<Long, Prefix> beginners = new TreeMap<>();

  /** Who had state, and when it was last heard. */
  private final SortedMap<Long, Long> withState = new TreeMap<>();

  private int next;
  private int turns;
  private int unanswered;
  private long askAtNanos;

  Joining(Own own, List<Long> others, long nowNanos) {
    this.own = own;
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

  /**
   * Whether to begin with what there is here.
   *
   * @param held by this replica by now: one that had begun, with nothing, and asks once more, takes
   *     writes of its application meanwhile. Of two that compared what they had before those, each
   *     would wait for the other
   */
  boolean begins(Prefix held, long nowNanos) {
    return (isBack() || nowNanos >= own.untilNanos())
        && beginners.keySet().containsAll(others)
        && beginners.entrySet().stream()
            .noneMatch(other -> own.yieldsTo(other.getKey(), other.getValue(), held))
        && withState.values().stream()
            .allMatch(heard -> nowNanos - heard >= GONE_MILLIS * NANOS_PER_MILLI);
  }

  /** Whether as many are here as there were when the checkpoint was written. */
  private boolean isBack() {
    return others.size() + 1 >= own.replicas();
  }

  boolean asksNow(long nowNanos) {
    return nowNanos >= askAtNanos;
  }

  /** The replica to ask now; 0 if there is none to ask. */
  long ask(long nowNanos) {
    askAtNanos = nowNanos + ASK_AGAIN_MILLIS * NANOS_PER_MILLI;
    turns++;
    if (others.isEmpty()) {
      return 0;
    }
    unanswered++;
    long asked = others.get(next);
    next = (next + 1) % others.size();
    return asked;
  }

  /** What to tell people who wonder why it does not begin; null if this is no time for that. */
  @Nullable String hindrance() {
    if (unanswered % UNANSWERED_MANY == UNANSWERED_MANY - 1) {
      return "no member that may have it answers. It begins with what it has itself once all of"
          + " them say that they have no more, or are members no more";
    }
    if (others.isEmpty() && !withState.isEmpty() && turns % UNANSWERED_MANY == TURNS_MANY) {
      return "whoever had it is gone. It waits for them, and begins without what they had %d s after"
              .formatted(GONE_MILLIS / 1_000)
          + " their last word";
    }
    return turns == TURNS_MANY && !isBack()
        ? ("%d of the %d replicas that there were when its checkpoint was written are back. It"
                + " waits %d s for the others, and then begins without what only they have")
            .formatted(others.size() + 1, own.replicas(), BACK_MILLIS / 1_000)
        : null;
  }

  /**
   * Another replica does not serve either: ask the next one at once.
   *
   * @param held what it would begin with
   */
  void hasNone(long other, Prefix held, long nowNanos) {
    boolean isNew = beginners.put(other, held) == null;
    withState.remove(other);
    unanswered = 0;
    askAtNanos = isNew ? nowNanos : askAtNanos;
  }

  /** Another replica has state: to begin without it would not do any more. */
  void hasState(long other, long nowNanos) {
    beginners.remove(other);
    withState.put(other, nowNanos);
    unanswered = 0;
    next = Math.max(0, others.indexOf(other));
  }
}
