package dev.tempest.runtime.frontend;

import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls under way, and those whose callers are to be told how they ended.
 *
 * <p>Not thread-safe: its owner guards it.
 */
final class PendingCalls {
  private final Map<Long, PendingCall> underWay = new HashMap<>();
  private final LinkedHashSet<PendingCall> blocked = new LinkedHashSet<>();
  private List<PendingCall> ended = new ArrayList<>();
  private int unwaitedFor;
  private long lastTicket;

  /** All parts of it are about to begin. */
  void add(PendingCall call) {
    if (call.isBlocked()) {
      blocked.add(call);
    } else {
      unwaitedFor += call.parts().size();
    }
  }

  /** The ticket of a part that begins. */
  long begin(PendingCall part) {
    long ticket = ++lastTicket;
    part.isUnderWay(ticket);
    underWay.put(ticket, part);
    return ticket;
  }

  /** What has a ticket belongs to a session, which is told what it sees. */
  void beganInSession(long ticket, Consumer<Seen> session) {
    PendingCall part = underWay.get(ticket);
    if (part != null) {
      part.isInSession(session);
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
    if (part == null) {
      return;
    }
    if (!part.isBlocked()) {
      unwaitedFor--;
    }
    PendingCall told = part.end(ending);
    if (told != null) {
      blocked.remove(told);
      ended.add(told);
    }
  }

  /** The call goes on, but its thread waits no longer. */
  void abandon(PendingCall call) {
    blocked.remove(call);
    call.abandon();
    unwaitedFor += (int) call.parts().stream().filter(part -> part.ending() == null).count();
  }

  boolean isUnderWay(long ticket) {
    return underWay.containsKey(ticket);
  }

  List<Long> ticketsUnderWay() {
    return List.copyOf(underWay.keySet());
  }

  int sizeUnderWay() {
    return underWay.size();
  }

  /** The thread that has waited for longest; null if none waits. */
  @Nullable PendingCall firstBlocked() {
    return blocked.isEmpty() ? null : blocked.getFirst();
  }

  /** Whether something is under way, or has ended, that no thread waits for. */
  boolean isAnyUnattended() {
    return unwaitedFor > 0 || !ended.isEmpty();
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
