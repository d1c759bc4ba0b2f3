package dev.tempest.runtime.node;

import dev.tempest.state.versioned.Version;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The version that the threads of a node read, and the threads that wait for more than it has.
 *
 * <p>Any thread may read it. Whoever holds the lock of the replica changes it.
 */
final class PublishedVersion {
  private final ReentrantLock lock;
  private final String closedMessage;

  /** Signalled when there is another version. */
  private final Condition shown;

  /** Signalled when something can be written again. */
  private final Condition open;

  /** Signalled when the replica has taken an event, which may change no version. */
  private final Condition stepped;

  private volatile Version version;
  private volatile boolean full;
  private volatile boolean ahead;
  private volatile boolean closed;

  /**
   * Shows a version.
   *
   * @param lock of the replica
   * @param closedMessage what those are told that come once it is closed
   */
  PublishedVersion(Version first, ReentrantLock lock, String closedMessage) {
    this.version = first;
    this.lock = lock;
    this.closedMessage = closedMessage;
    this.shown = lock.newCondition();
    this.open = lock.newCondition();
    this.stepped = lock.newCondition();
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

  /** Shows what the replica has come to. The caller holds the lock. */
  @SuppressWarnings("ReferenceEquality") // Whether it is another one, and not what is in it.
  void show(Version newest) {
    if (newest != version) {
      version = newest;
      shown.signalAll();
    }
  }

  /**
   * The replica has taken an event. The caller holds the lock.
   *
   * @param nowFull whether too much waits for other members
   * @param nowAhead whether writers should wait for other members
   */
  void stepped(boolean nowFull, boolean nowAhead) {
    full = nowFull;
    ahead = nowAhead;
    stepped.signalAll();
    if (!nowFull && !nowAhead) {
      open.signalAll();
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

  /** As {@link #await}, for what may change whenever the replica takes an event. */
  long awaitStep(BooleanSupplier holds, long timeoutNanos) throws InterruptedException {
    return await(stepped, holds, timeoutNanos);
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
    lock.lock();
    try {
      shown.signalAll();
      open.signalAll();
      stepped.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
