package dev.tempest.runtime.node;

import dev.tempest.state.versioned.Version;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The version that the threads of a node read, and the threads that wait for more than it has.
 *
 * <p>Any thread may read it. Whoever uses the replica changes it.
 */
final class PublishedVersion {
  /** Else many that wait would all look at each step, for which the replica has to stand still. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Not that of the replica, which may be held without end: this one is held for moments. */
  private final ReentrantLock lock = new ReentrantLock();

  private final String closedMessage;

  /** Signalled when there is another version. */
  private final Condition shown = lock.newCondition();

  /** Signalled when something can be written again. */
  private final Condition open = lock.newCondition();

  /** Signalled when the replica has taken an event, which may change no version. */
  private final Condition stepped = lock.newCondition();

  private volatile Version version;
  private volatile boolean full;
  private volatile boolean ahead;
  private volatile boolean closed;

  private volatile long reconciled;

  /** How many events the replica has taken. */
  private volatile long steps;

  /**
   * Shows a version.
   *
   * @param closedMessage what those are told that come once it is closed
   */
  PublishedVersion(Version first, String closedMessage) {
    this.version = first;
    this.closedMessage = closedMessage;
  }

  Version version() {
    return version;
  }

  /** Whether too much waits for other members: nothing more is to be written. */
  boolean isFull() {
    return full;
  }

  /** Whether something can be written at this moment. */
  boolean takesWrites() {
    return !full && !ahead && !closed;
  }

  /** How many writes had come in late by what is shown. */
  long reconciled() {
    return reconciled;
  }

  /** As {@link #show(Version)}, and so many writes have come in late by now. */
  void show(Version newest, long late) {
    reconciled = late;
    show(newest);
  }

  /** Shows what the replica has come to. The caller uses it. */
  @SuppressWarnings("ReferenceEquality") // Whether it is another one, and not what is in it.
  void show(Version newest) {
    if (newest != version) {
      version = newest;
      signal(shown);
    }
  }

  /**
   * The replica has taken an event. The caller uses it.
   *
   * @param nowFull whether too much waits for other members
   * @param nowAhead whether writers should wait for other members
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // One thread uses the replica at a time.
  void stepped(boolean nowFull, boolean nowAhead) {
    full = nowFull;
    ahead = nowAhead;
    lock.lock();
    try {
      steps++;
      stepped.signalAll();
      if (!nowFull && !nowAhead) {
        open.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until something holds for what is shown.
   *
   * @return the nanoseconds left of the timeout, 0 or less if it has passed
   */
  long await(BooleanSupplier holds, long timeoutNanos) throws InterruptedException {
    return await(shown, holds, timeoutNanos);
  }

  /** Waits until something can be written; false if that took too long. */
  boolean awaitOpen(Duration longest) throws InterruptedException {
    return await(open, this::takesWrites, longest.toNanos()) > 0;
  }

  /** What is asked of the replica, and waits no longer than that for whoever uses it. */
  interface Question {
    boolean holds(long longestNanos) throws InterruptedException;
  }

  /**
   * Waits until something holds that may change whenever the replica takes an event.
   *
   * @return whether it holds
   */
  boolean awaitStep(Question question, long timeoutNanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long untilNanos = System.nanoTime() + timeoutNanos;
    long leftNanos = timeoutNanos;
    for (int looks = 1; leftNanos > 0; looks++) {
      long seen = steps;
      if (question.holds(leftNanos)) {
        return true;
      }
      if (looks > 1) { // What one waits for has mostly come with the first step.
        LockSupport.parkNanos(this, Math.min(REST_NANOS, leftNanos));
      }
      leftNanos = await(stepped, () -> steps > seen, untilNanos - System.nanoTime());
    }
    return question.holds(0);
  }

  private long await(Condition changed, BooleanSupplier holds, long timeoutNanos)
      throws InterruptedException {
    long leftNanos = timeoutNanos;
    lock.lockInterruptibly();
    try {
      while (!holds.getAsBoolean() && leftNanos > 0) {
        requireOpen();
        leftNanos = changed.awaitNanos(leftNanos);
      }
      return leftNanos;
    } finally {
      lock.unlock();
    }
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException(closedMessage);
    }
  }

  /** It can still be read, but nobody waits for more any longer. */
  void close() {
    closed = true;
    signal(shown);
    signal(open);
    signal(stepped);
  }

  private void signal(Condition changed) {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
