package dev.tempest.runtime.node;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * What readers used and others are to hear of, so that it lives on: the loop writes it, and no
 * reader waits for that. Thread-safe.
 */
final class UsesByReaders {
  /** Of more than that nobody hears: whoever reads such an entry again says so again. */
  private static final int WAITING_MAX = 100_000;

  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  /** Adds one; true if it is the first, of which the loop has to be told. */
  boolean add(Runnable use) {
    if (count.get() >= WAITING_MAX) {
      return false;
    }
    waiting.add(use);
    return count.getAndIncrement() == 0;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Writes all within an action, and leaves it: a node that has closed meanwhile refuses that. */
  void write(Runnable leaving, BooleanSupplier isOpen) {
    try {
      for (Runnable use = waiting.poll(); use != null; use = waiting.poll()) {
        count.getAndDecrement();
        use.run();
      }
    } finally {
      leave(leaving, isOpen);
    }
  }

  private static void leave(Runnable leaving, BooleanSupplier isOpen) {
    try {
      leaving.run();
    } catch (IllegalStateException refused) {
      if (isOpen.getAsBoolean()) {
        throw refused;
      }
    }
  }
}
