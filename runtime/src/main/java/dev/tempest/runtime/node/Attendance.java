package dev.tempest.runtime.node;

import dev.tempest.MemberChange;
import dev.tempest.MemberChange.Kind;
import dev.tempest.MembershipListener;
import dev.tempest.Registration;
import dev.tempest.protocol.membership.Member;
import dev.tempest.runtime.LogLines;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Says who joins, leaves, falls silent and returns: in the log, and to listeners, in a thread of
 * their own that exists while there is something to tell.
 *
 * <p>Owned by the event loop, but for {@link #add}.
 */
final class Attendance {
  /** So many changes may wait for listeners that take their time. */
  static final int WAITING_MAX = 1_024;

  private static final System.Logger LOGGER = LogLines.logger(Attendance.class);

  private final List<MembershipListener> listeners = new CopyOnWriteArrayList<>();
  private final ThreadPoolExecutor teller =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(WAITING_MAX),
          task -> {
            Thread thread = new Thread(task, "tempest-membership");
            thread.setDaemon(true);
            return thread;
          },
          (untold, full) ->
              LOGGER.log(
                  Level.WARNING,
                  "Membership listeners take too long: they miss a change, because {0} others wait"
                      + " for them",
                  WAITING_MAX));
  private SortedMap<String, Seat> seats = Collections.emptySortedMap();

  /**
   * The members at one address. A process that restarts there has another id; its earlier life
   * stays a member until all have heard of that.
   */
  private record Seat(SortedMap<Long, Member> members, boolean isAlive) {
    static final Seat FREE = new Seat(Collections.emptySortedMap(), false);

    boolean isFree() {
      return members.isEmpty();
    }

    Seat with(Member member, boolean memberIsAlive) {
      SortedMap<Long, Member> more = new TreeMap<>(members);
      more.put(member.id(), member);
      return new Seat(more, isAlive || memberIsAlive);
    }

    Member anyone() {
      return members.values().iterator().next();
    }

    /** Whoever sits here and did not before. */
    Optional<Member> newcomer(Seat before) {
      return members.values().stream()
          .filter(member -> !before.members.containsKey(member.id()))
          .findFirst();
    }
  }

  Attendance() {
    teller.allowCoreThreadTimeOut(true);
  }

  /** Any thread may call it. */
  Registration add(MembershipListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /**
   * Compares who is there with who was; whoever is there first is no news. One that restarts
   * leaves, then joins.
   */
  void look(SortedMap<Long, Member> view, SortedSet<Long> alive) {
    SortedMap<String, Seat> before = seats;
    SortedMap<String, Seat> now = new TreeMap<>();
    view.forEach((id, member) ->
        now.compute(
            member.addressText(),
            (address, seat) -> (seat == null ? Seat.FREE : seat).with(member, alive.contains(id))));
    seats = now;
    if (!before.isEmpty()) {
      for (MemberChange change : changes(before, now)) {
        log(change, now.size());
        listeners.forEach(listener -> teller.execute(() -> tell(listener, change)));
      }
    }
  }

  private static List<MemberChange> changes(
      SortedMap<String, Seat> before, SortedMap<String, Seat> now) {
    SortedSet<String> addresses = new TreeSet<>(before.keySet());
    addresses.addAll(now.keySet());
    List<MemberChange> changes = new ArrayList<>();
    for (String address : addresses) {
      Seat was = before.getOrDefault(address, Seat.FREE);
      Seat is = now.getOrDefault(address, Seat.FREE);
      Optional<Member> newcomer = is.newcomer(was);
      if (!was.isFree() && (is.isFree() || newcomer.isPresent())) {
        changes.add(change(Kind.LEFT, was.anyone()));
      }
      if (newcomer.isPresent()) {
        changes.add(change(Kind.JOINED, newcomer.get()));
      } else if (!is.isFree() && was.isAlive != is.isAlive) {
        changes.add(change(is.isAlive ? Kind.RETURNED : Kind.SILENT, is.anyone()));
      }
    }
    return changes;
  }

  private static MemberChange change(Kind kind, Member member) {
    return new MemberChange(kind, member.addressText(), member.name());
  }

  private static void log(MemberChange change, int members) {
    String who = change.name().isEmpty() ? "" : " (" + change.name() + ")";
    LOGGER.log(
        change.kind() == Kind.SILENT ? Level.WARNING : Level.INFO,
        "Member {0}{1} {2}; members now: {3}"
            + (change.kind() == Kind.SILENT ? ", silent ones included" : ""),
        change.address(),
        who,
        switch (change.kind()) {
          case JOINED -> "joined";
          case LEFT -> "left";
          case SILENT -> "is silent";
          case RETURNED -> "returned";
        },
        members);
  }

  private static void tell(MembershipListener listener, MemberChange change) {
    try {
      listener.changed(change);
    } catch (Throwable thrown) {
      LOGGER.log(Level.WARNING, "A listener threw; Tempest keeps calling it", thrown);
    }
  }
}
