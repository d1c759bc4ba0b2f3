package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;
import java.util.Collection;
import java.util.TreeSet;

/**
 * What replicas that have no time or no room have said of one update, until it is known that none
 * of them has executed it or will.
 *
 * <p>That a replica is overloaded says nothing: the next attempt, or a copy of an earlier one that
 * is still on its way, may find it at leisure. But once the epoch of the latest stamp is closed at
 * a replica that has not executed the update, it comes there only from another one that has. So if
 * all have said that, none has, and none ever will. A replica that executed it and lost its memory
 * since is not known: what it has sent to others before may still be on its way.
 */
final class Refusals {
  /** What is to be done about the update. */
  enum Next {
    /** It ends as not executed. */
    NOBODY_WILL,
    /** It is sent again as it is, and all replicas are to answer. */
    ASK_ALL,
    /** Others may answer yet. */
    WAIT,
    /** Some do not answer: it is sent with a new stamp, and there may be room. */
    STAMP_AGAIN
  }

  private final Answer first;
  private final Epochs epochs;
  private final long deadlineNanos;
  private final TreeSet<Long> never = new TreeSet<>();
  private long latestStamp;
  private int askedAllFrom;

  /**
   * Of an update that one replica refused.
   *
   * @param first what it said
   */
  Refusals(Answer first, Epochs epochs, long deadlineNanos) {
    this.epochs = epochs;
    this.deadlineNanos = deadlineNanos;
    this.first = first;
  }

  /** What was said first: how the update ends if nobody executes it. */
  Answer first() {
    return first;
  }

  /**
   * A replica says that it has not executed the update, and that its stamp has expired.
   *
   * @param replicas all that may have got it
   * @param latest the latest stamp that the update ever had
   * @param attempt the number of sendings until now
   */
  Next expired(
      Message.Reply reply, Collection<Long> replicas, long latest, int attempt, long nowNanos) {
    if (latest != latestStamp) {
      latestStamp = latest;
      askedAllFrom = 0;
      never.clear();
    }
    // Of an earlier stamp it may have said so before it knew the latest one.
    if (epochs.isClosed(latest, Stamp.of(reply.part()))) {
      never.add(reply.replica());
    }
    if (never.containsAll(replicas)) {
      return Next.NOBODY_WILL;
    }
    if (askedAllFrom == 0) {
      askedAllFrom = attempt + 1;
      return Next.ASK_ALL;
    }
    return attempt > askedAllFrom && hasTimeToProve(nowNanos) ? Next.STAMP_AGAIN : Next.WAIT;
  }

  /** Whether each attempt asks all replicas, until there is another stamp. */
  boolean asksAll() {
    return askedAllFrom > 0;
  }

  /** A new stamp takes twice as long at most until it has expired and all have said so. */
  private boolean hasTimeToProve(long nowNanos) {
    return deadlineNanos - nowNanos > 2_000_000L * epochs.lengthMillis() * epochs.closeAfter();
  }
}
