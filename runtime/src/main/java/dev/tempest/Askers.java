package dev.tempest;

import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what is under way, and who is to be told how it ended.
 *
 * <p>Not thread-safe: its owner guards it.
 */
final class Askers {
  private final Map<Long, Asker> underWay = new HashMap<>();
  private final LinkedHashSet<Asker> blocked = new LinkedHashSet<>();
  private List<Asker> ended = new ArrayList<>();
  private int unwaitedFor;
  private long lastTicket;

  /** All parts of it are about to begin. */
  void add(Asker asker) {
    if (asker.isBlocked()) {
      blocked.add(asker);
    } else {
      unwaitedFor += asker.parts().size();
    }
  }

  /** The ticket of a part that begins. */
  long begin(Asker part) {
    long ticket = ++lastTicket;
    part.isUnderWay(ticket);
    underWay.put(ticket, part);
    return ticket;
  }

  /** What has a ticket belongs to a session, which is told what it sees. */
  void beganInSession(long ticket, Consumer<Seen> session) {
    Asker part = underWay.get(ticket);
    if (part != null) {
      part.isInSession(session);
    }
  }

  /** What has a ticket is about to end, having seen that. */
  void saw(long ticket, Seen seen) {
    Asker part = underWay.get(ticket);
    if (part != null) {
      part.saw(seen);
    }
  }

  /** What has a ticket ended; nothing happens if it had before. */
  void complete(long ticket, Ending ending) {
    Asker part = underWay.remove(ticket);
    if (part == null) {
      return;
    }
    if (!part.isBlocked()) {
      unwaitedFor--;
    }
    Asker told = part.end(ending);
    if (told != null) {
      blocked.remove(told);
      ended.add(told);
    }
  }

  /** What it asked goes on, but its thread waits no longer. */
  void abandon(Asker asker) {
    blocked.remove(asker);
    asker.abandon();
    unwaitedFor += (int) asker.parts().stream().filter(part -> part.ending() == null).count();
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
  @Nullable Asker firstBlocked() {
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
  List<Asker> takeEnded() {
    List<Asker> told = ended;
    ended = new ArrayList<>();
    return told;
  }
}
