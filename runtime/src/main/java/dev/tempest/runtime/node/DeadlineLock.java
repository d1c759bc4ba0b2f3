package dev.tempest.runtime.node;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Held while code of the application is executed, which may never return, or wait for another
 * thread that wants the lock, too: so nobody but the loop waits for it without end.
 */
class DeadlineLock extends ReentrantLock {
  private static final long serialVersionUID = 1;

  /** Takes it, interrupted or not; false if others have held it for so long. */
  final boolean tryWithin(long longestNanos) {
    boolean taken = tryLock();
    if (taken) {
      return true; // Most of the time, without a look at the clock.
    }
    boolean interrupted = false;
    long untilNanos = System.nanoTime() + longestNanos;
    try {
      while (!taken) {
        long leftNanos = untilNanos - System.nanoTime();
        if (leftNanos <= 0) {
          return false;
        }
        try {
          taken = tryLock(leftNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException whileWaiting) {
          interrupted = true; // A write is no place to end at, as it is none in java.util.
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The thread that has it and has not given it to others for so long; null if none has. */
  final @Nullable Thread heldFor(long longestNanos) throws InterruptedException {
    if (tryLock(longestNanos, TimeUnit.NANOSECONDS)) {
      unlock();
      return null;
    }
    return getOwner();
  }
}
