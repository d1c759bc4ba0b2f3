package dev.tempest.simulator;

import java.util.PriorityQueue;

/**
 * Virtual time: what happens when. Of two things at the same time, the one noted first is first.
 */
final class Agenda {
  private record Item(long atNanos, long sequence, Runnable action) implements Comparable<Item> {
    @Override
    public int compareTo(Item that) {
      int byTime = Long.compare(atNanos, that.atNanos);
      return byTime != 0 ? byTime : Long.compare(sequence, that.sequence);
    }
  }

  private final PriorityQueue<Item> items = new PriorityQueue<>();
  private long nowNanos;
  private long sequence;

  /** Virtual nanoseconds since the world began. */
  long nowNanos() {
    return nowNanos;
  }

  void at(long nanos, Runnable action) {
    items.add(new Item(Math.max(nanos, nowNanos), sequence++, action));
  }

  void after(long nanos, Runnable action) {
    at(nowNanos + nanos, action);
  }

  /** Does everything that is due until then, what comes up meanwhile included. */
  void runUntil(long nanos) {
    for (Item next = items.peek(); next != null && next.atNanos <= nanos; next = items.peek()) {
      items.remove();
      nowNanos = next.atNanos;
      next.action.run();
    }
    nowNanos = Math.max(nowNanos, nanos);
  }
}
