package dev.tempest.protocol.order.log;

import java.util.PriorityQueue;

/**
 * What is to happen, in virtual time: whatever comes at the same time, in the order it was said.
 */
final class Agenda {
  private record Due(long nanos, long number, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due that) {
      return nanos != that.nanos
          ? Long.compare(nanos, that.nanos)
          : Long.compare(number, that.number);
    }
  }

  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private long numbers;

  /** The time. */
  long nowNanos;

  /** Something happens then, or at once if that is over. */
  void at(long nanos, Runnable what) {
    due.add(new Due(Math.max(nanos, nowNanos), numbers++, what));
  }

  /** Lets all happen until then. */
  void run(long untilNanos) {
    while (nowNanos < untilNanos) {
      Due next = due.remove();
      nowNanos = next.nanos;
      next.what.run();
    }
  }
}
