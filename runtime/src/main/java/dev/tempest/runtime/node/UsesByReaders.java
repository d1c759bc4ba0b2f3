package dev.tempest.runtime.node;

import dev.tempest.values.TooLargeException;
import java.util.ArrayList;
import java.util.List;
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

  /** What one action writes: with keys of the usual size it has room for that, and is soon over. */
  private static final int TAKEN_MAX = 500;

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

  /** Takes those that one action writes; the others wait for the next one. */
  List<Runnable> take() {
    List<Runnable> taken = new ArrayList<>();
    while (taken.size() < TAKEN_MAX) {
      Runnable use = waiting.poll();
      if (use == null) {
        break;
      }
      count.getAndDecrement();
      taken.add(use);
    }
    return taken;
  }

  /** Writes some within an action, and leaves it: a node that has closed meanwhile refuses that. */
  void write(Runnable leaving, BooleanSupplier isOpen) {
    try {
      take().forEach(Runnable::run);
    } finally {
      leave(leaving, isOpen);
    }
  }

  private static void leave(Runnable leaving, BooleanSupplier isOpen) {
    try {
      leaving.run();
    } catch (TooLargeException tooMuchAtOnce) {
      return; // Nobody hears of these, as of too many.
    } catch (IllegalStateException refused) {
      if (isOpen.getAsBoolean()) {
        throw refused;
      }
    }
  }
}
