package dev.tempest.runtime.node;

import dev.tempest.MemberChange;
import dev.tempest.MemberChange.Kind;
import dev.tempest.MembershipListener;
import dev.tempest.Registration;
import dev.tempest.protocol.membership.Member;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
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

  private static final System.Logger LOGGER = System.getLogger(Attendance.class.getName());

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
  private SortedMap<Long, Member> view = Collections.emptySortedMap();
  private SortedSet<Long> alive = Collections.emptySortedSet();

  Attendance() {
    teller.allowCoreThreadTimeOut(true);
  }

  /** Any thread may call it. */
  Registration add(MembershipListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Compares who is there with who was; whoever is there first is no news. */
  void look(SortedMap<Long, Member> viewNow, SortedSet<Long> aliveNow) {
    List<MemberChange> changes = new ArrayList<>();
    if (!view.isEmpty()) {
      viewNow.forEach((id, member) -> {
        if (!view.containsKey(id)) {
          changes.add(change(Kind.JOINED, member));
        } else if (alive.contains(id) != aliveNow.contains(id)) {
          changes.add(change(aliveNow.contains(id) ? Kind.RETURNED : Kind.SILENT, member));
        }
      });
      view.forEach((id, member) -> {
        if (!viewNow.containsKey(id)) {
          changes.add(change(Kind.LEFT, member));
        }
      });
    }
    view = viewNow;
    alive = aliveNow;
    for (MemberChange change : changes) {
      log(change, viewNow.size());
      listeners.forEach(listener -> teller.execute(() -> tell(listener, change)));
    }
  }

  private static MemberChange change(Kind kind, Member member) {
    return new MemberChange(kind, member.addressText(), member.name());
  }

  private static void log(MemberChange change, int members) {
    String who = change.name().isEmpty() ? "" : " (" + change.name() + ")";
    LOGGER.log(
        change.kind() == Kind.SILENT ? Level.WARNING : Level.INFO,
        "Member {0}{1} {2}; members now: {3}",
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
    } catch (RuntimeException | Error thrown) {
      LOGGER.log(Level.WARNING, "A listener threw; Tempest keeps calling it", thrown);
    }
  }
}
