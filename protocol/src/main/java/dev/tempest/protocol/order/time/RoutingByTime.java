package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Routing;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByLog;
import dev.tempest.wire.SeenByTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Asks replicas: stamps updates, so that by time each counts after all that was seen or answered
 * before, and by a log its age is known; asks the first in the rendezvous order of its id to
 * answer, with each attempt one more; and stamps anew what comes too late or too early for a
 * replica's clock, or for a log, under the same id.
 */
public final class RoutingByTime implements Routing {
  private final Epochs epochs;
  private final int behindLogMaxMillis;

  /** By services: the clocks of their replicas may be far apart. */
  private final Map<Long, StampClock> clocks = new LinkedHashMap<>();

  /**
   * One that asks all replicas.
   *
   * @param epochs of those that are ordered by time
   * @param behindLogMaxMillis so far behind a log the stamp of an update may be
   */
  public RoutingByTime(Epochs epochs, int behindLogMaxMillis) {
    this.epochs = epochs;
    this.behindLogMaxMillis = behindLogMaxMillis;
  }

  @Override
  public Course begin(
      long service, RequestId id, @Nullable Seen seen, long deadlineNanos, long nowNanos) {
    StampClock clock = clockOf(service);
    long seenStamp = seen instanceof SeenByTime byTime ? byTime.stamp() : Stamp.NONE;
    clock.followClient(seenStamp, nowNanos);
    return new StampedCourse(clock, id, seenStamp, deadlineNanos, nowNanos);
  }

  @Override
  public void executed(long service, OrderPart part, long nowNanos) {
    // By a log each server shows its own clock.
    if (part instanceof OrderPart.Stamped(long stamp)) {
      clockOf(service).follow(stamp, nowNanos);
    }
  }

  private StampClock clockOf(long service) {
    return clocks.computeIfAbsent(service, none -> new StampClock());
  }

  /** One update, under all the stamps that it gets. */
  private final class StampedCourse implements Course {
    private final StampClock clock;
    private final RequestId id;

    /**
     * It counts after what its chain has seen. What that says may be forged, or come from where
     * clocks are ahead: so only this update has to have such a stamp.
     */
    private final long leastStamp;

    private final long deadlineNanos;
    private long stamp;
    private long latestStamp;
    private int stampedAgainAt;

    /** All that may have got it. */
    private List<Long> replicas = List.of();

    private @Nullable Refusals refusals;

    /** What the leader of a log said that had no room. */
    private @Nullable Answer refusedByLog;

    StampedCourse(
        StampClock clock, RequestId id, long seenStamp, long deadlineNanos, long nowNanos) {
      this.clock = clock;
      this.id = id;
      this.leastStamp = seenStamp + 1;
      this.deadlineNanos = deadlineNanos;
      this.stamp = next(nowNanos);
      this.latestStamp = stamp;
    }

    private long next(long nowNanos) {
      return Math.max(clock.next(nowNanos), leastStamp);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // It is the same list until it changes.
    public Asked ask(int acks, int attempt, List<Long> present, Collection<Long> silent) {
      if (replicas != present) {
        replicas = replicas.isEmpty() ? present : both(replicas, present);
      }
      int more = Math.max(attempt, silentAmongFirst(acks, present, silent));
      if (refusals != null && refusals.asksAll()) {
        more = Math.max(more, present.size());
      }
      List<Long> asked = new ArrayList<>(Math.min(acks + more, present.size()));
      for (long replica : present) {
        if (Rendezvous.rank(id, replica, present) < acks + more) {
          asked.add(replica);
        }
      }
      return new Asked(more, asked);
    }

    @Override
    public void changed(List<Long> present, List<Long> guesses) {
      replicas = both(replicas, present);
      if (!Collections.disjoint(replicas, guesses)) {
        replicas = replicas.stream().filter(id -> !guesses.contains(id)).toList();
      }
    }

    /** As many more are asked as would not answer. */
    private int silentAmongFirst(int count, List<Long> present, Collection<Long> silent) {
      int found = 0;
      for (long replica : silent) {
        if (Rendezvous.rank(id, replica, present) < count + found) {
          found++;
        }
      }
      return found;
    }

    @Override
    public OrderPart part() {
      return new OrderPart.Stamped(stamp);
    }

    @Override
    public Next refused(Reply reply, int attempt, long nowNanos) {
      if (!(reply.answer() instanceof Answer.Refused(var reason, var detail))
          || Stamp.of(reply.part()) == Stamp.NONE) {
        return Next.WAIT;
      }
      return switch (reason) {
        case STAMP_EXPIRED -> expired(reply, attempt, nowNanos);
        case STAMP_AHEAD -> {
          long refused = stamp;
          Next next = stampAgain(reply, attempt, nowNanos);
          // Where no lower one will do, this replica takes it later, and others do now.
          yield stamp < refused ? next : Next.WAIT;
        }
        case OVERLOADED -> { // The next attempt may find room.
          if (reply.part() instanceof OrderPart.Logged) {
            refusedByLog = reply.answer();
          } else if (refusals == null) {
            refusals = new Refusals(reply.answer(), epochs, deadlineNanos);
          }
          yield Next.WAIT;
        }
        default -> Next.WAIT;
      };
    }

    /**
     * The request needs a new stamp; but one that replicas had no room for ends here if it is known
     * by now that none has executed it.
     */
    private Next expired(Reply reply, int attempt, long nowNanos) {
      Answer byLog = refusedByLog;
      if (byLog != null && isTooLate(reply.part())) {
        return new Next.End(byLog);
      }
      Refusals known = refusals;
      if (known == null) {
        return stampAgain(reply, attempt, nowNanos);
      }
      return switch (known.expired(reply, replicas, latestStamp, attempt, nowNanos)) {
        case NOBODY_WILL -> new Next.End(known.first());
        case ASK_ALL -> Next.SEND;
        case STAMP_AGAIN -> stampAgain(reply, attempt, nowNanos);
        case WAIT -> Next.WAIT;
      };
    }

    /** Whether the log is so far beyond all stamps of the update that it will never be there. */
    private boolean isTooLate(OrderPart said) {
      return said instanceof OrderPart.Logged(long stampOfLog, long slot)
          && Stamp.millis(latestStamp) < Stamp.millis(stampOfLog) - behindLogMaxMillis;
    }

    /**
     * The replica's clock says how far this one is off. The id stays: whoever executed it will not
     * do so again.
     */
    private Next stampAgain(Reply reply, int attempt, long nowNanos) {
      if (stampedAgainAt == attempt) {
        return Next.WAIT; // Answers of several replicas to one attempt say the same.
      }
      long shown = Stamp.of(reply.part());
      if (isOfLogThatIsLater(reply)) {
        clock.catchUp(shown, nowNanos);
      } else {
        clock.correct(shown, nowNanos);
      }
      stamp = next(nowNanos);
      latestStamp = Math.max(latestStamp, stamp);
      stampedAgainAt = attempt + 1;
      return Next.SEND;
    }

    private static boolean isOfLogThatIsLater(Reply reply) {
      return reply.part() instanceof OrderPart.Logged
          && reply.answer() instanceof Answer.Refused(Reason why, String detail)
          && why == Reason.STAMP_EXPIRED;
    }

    @Override
    public Seen seen(OrderPart answered) {
      return switch (answered) {
        case OrderPart.Logged(long replica, long slot) -> new SeenByLog(slot);
        case OrderPart.Voted voted -> new SeenByLog(voted.slot());
        case OrderPart byTime -> {
          clock.answered(leastStamp); // Whoever took it does not take what is far ahead.
          yield SeenByTime.of(id, Math.max(clock.latest(), Stamp.of(byTime)));
        }
      };
    }

    private static List<Long> both(List<Long> some, List<Long> others) {
      TreeSet<Long> all = new TreeSet<>(some);
      all.addAll(others);
      return List.copyOf(all);
    }
  }
}
