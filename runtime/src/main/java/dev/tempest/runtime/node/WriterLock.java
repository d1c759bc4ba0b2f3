package dev.tempest.runtime.node;

import dev.tempest.OverloadedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Held by the one thread that writes. What that does may wait for another thread that wants to
 * write, too: so nobody waits for it without end.
 */
final class WriterLock extends ReentrantLock {
  private static final long serialVersionUID = 1;

  /**
   * Takes it, interrupted or not.
   *
   * @throws OverloadedException if others have held it for so long
   */
  void lockWithin(long longestNanos) {
    boolean taken = tryLock();
    boolean interrupted = false;
    long untilNanos = System.nanoTime() + longestNanos;
    try {
      while (!taken) {
        long leftNanos = untilNanos - System.nanoTime();
        if (leftNanos <= 0) {
          throw new OverloadedException(
              "nothing was written: another thread stays in its batch, or many write. Do less in"
                  + " one batch, and wait for no other thread there");
        }
        try {
          taken = tryLock(leftNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException whileWaiting) {
          interrupted = true; // A write is no place to end at, as it is none in java.util.
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
