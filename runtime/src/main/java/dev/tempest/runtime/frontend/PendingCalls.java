package dev.tempest.runtime.frontend;

import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls under way, and those whose callers are to be told how they ended.
 *
 * <p>Not thread-safe, its owner guards it, but for {@link #reserve} and {@link #size}.
 */
final class PendingCalls {
  private final int max;
  private final Map<Long, PendingCall> underWay = new HashMap<>();
  private final AtomicInteger size = new AtomicInteger();
  private List<PendingCall> ended = new ArrayList<>();
  private long lastTicket;

  /** So many at most are under way at once. */
  PendingCalls(int max) {
    this.max = max;
  }

  /** Takes room for so many parts that will begin; false if there is not enough. */
  boolean reserve(int count) {
    if (size.addAndGet(count) <= max) {
      return true;
    }
    size.addAndGet(-count);
    return false;
  }

  /** How many parts have room: those under way, and those that will begin. */
  int size() {
    return size.get();
  }

  /** The ticket of a part that begins, for which there is room. */
  long begin(PendingCall part) {
    long ticket = ++lastTicket;
    part.isUnderWay(ticket);
    underWay.put(ticket, part);
    return ticket;
  }

  /** What has a ticket belongs to a causal chain, which is told what it sees. */
  void beganInChain(long ticket, Consumer<Seen> chain) {
    PendingCall part = underWay.get(ticket);
    if (part != null) {
      part.isInChain(chain);
    }
  }

  /** What has a ticket is about to end, having seen that. */
  void saw(long ticket, Seen seen) {
    PendingCall part = underWay.get(ticket);
    if (part != null) {
      part.saw(seen);
    }
  }

  /** What has a ticket ended; nothing happens if it had before. */
  void complete(long ticket, Ending ending) {
    PendingCall part = underWay.remove(ticket);
    if (part != null) {
      size.decrementAndGet();
      addEnded(part.end(ending));
    }
  }

  /** All that are under way have ended. */
  void completeAll(Ending ending) {
    List.copyOf(underWay.keySet()).forEach(ticket -> complete(ticket, ending));
  }

  private void addEnded(@Nullable PendingCall call) {
    if (call != null) {
      ended.add(call);
    }
  }

  /** Whether somebody is to be told. */
  boolean hasEnded() {
    return !ended.isEmpty();
  }

  /** Who is to be told; once. */
  List<PendingCall> takeEnded() {
    List<PendingCall> told = ended;
    ended = new ArrayList<>();
    return told;
  }
}
