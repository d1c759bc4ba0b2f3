package dev.tempest.protocol.frontend;

import dev.tempest.protocol.Invariant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When requests are sent again: each after its first wait, then after ever longer ones, and the
 * first time early if few are. Each request has one alarm at a time.
 */
final class Retries {
  /** Waiting grows up to so many times the first wait. */
  private static final int WAIT_FACTOR_MAX = 16;

  private record Alarm(long atNanos, Pending request, int number) implements Comparable<Alarm> {
    boolean isPast() {
      return request.done || request.alarms != number;
    }

    @Override
    public int compareTo(Alarm that) {
      return Long.compare(atNanos, that.atNanos);
    }
  }

  private final RetryBudget budget = new RetryBudget();
  private final PriorityQueue<Alarm> queue = new PriorityQueue<>();

  /** A request was sent. */
  void sent(Pending request, int attempt, long nowNanos) {
    long firstNanos = request.caller.retryAfterNanos;
    long factor = Math.min(1L << Math.min(Math.max(attempt - 1, 0), 30), WAIT_FACTOR_MAX);
    request.retryNanos = nowNanos + firstNanos * factor;
    request.earlyNanos =
        attempt == 0 ? nowNanos + request.latency.lostAfterNanos(firstNanos) : Long.MAX_VALUE;
    setAlarm(request);
  }

  /** Sets a request's alarm, in place of the one before: by its times, or for its deadline. */
  void setAlarm(Pending request) {
    long retryNanos = Math.min(request.retryNanos, request.earlyNanos);
    long otherNanos = Math.min(request.askMoreNanos, request.submit.deadlineNanos());
    queue.add(new Alarm(Math.min(retryNanos, otherNanos), request, ++request.alarms));
  }

  /** Whether to send again a request whose alarm was due: each counts, early ones are few. */
  boolean isToRetry(Pending request, long nowNanos) {
    if (nowNanos >= request.retryNanos) {
      budget.spend(nowNanos);
      return true;
    }
    if (nowNanos < request.earlyNanos) {
      return false;
    }
    request.earlyNanos = Long.MAX_VALUE;
    return budget.spend(nowNanos);
  }

  /** A request was answered. */
  void answered(long nowNanos) {
    budget.answered(nowNanos);
  }

  /** When the next is due; {@link Long#MAX_VALUE} if none is set. */
  long nextNanos() {
    Alarm next = next();
    return next == null ? Long.MAX_VALUE : next.atNanos;
  }

  /** Takes a request whose alarm is due; null if none is. */
  @Nullable Pending takeDue(long nowNanos) {
    Alarm next = next();
    if (next == null || next.atNanos > nowNanos) {
      return null;
    }
    queue.remove();
    return next.request;
  }

  /** Throws if one of these is forgotten. */
  void checkInvariants(Collection<Pending> requests) {
    Set<Pending> alarmed = new LinkedHashSet<>();
    for (Alarm alarm : queue) {
      if (!alarm.isPast()) {
        Invariant.check(alarmed.add(alarm.request), "a request has one alarm at a time");
        Invariant.check(
            alarm.atNanos <= alarm.request.submit.deadlineNanos(),
            "an alarm comes no later than the deadline");
      }
    }
    Invariant.check(
        alarmed.size() == requests.size() && alarmed.containsAll(requests),
        "every request has an alarm");
  }

  /** Alarms of requests that have ended, or that were set again, are dropped on the way. */
  private @Nullable Alarm next() {
    for (Alarm next = queue.peek(); next != null; next = queue.peek()) {
      if (!next.isPast()) {
        return next;
      }
      queue.remove();
    }
    return null;
  }
}
