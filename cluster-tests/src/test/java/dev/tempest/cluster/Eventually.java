package dev.tempest.cluster;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what processes come to, and looks again and again: nothing tells of it. */
final class Eventually {
  /** Less than silent members are borne with: that they are expelled is no success. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(45);

  private static final long LOOK_AGAIN_MILLIS = 20;

  private Eventually() {}

  /**
   * Returns once something holds.
   *
   * @param what it is
   * @param otherwise what there is instead, for the reader of a failure
   */
  static void eventually(String what, Callable<Boolean> holds, Callable<String> otherwise) {
    long startNanos = System.nanoTime();
    try {
      while (!holds.call()) {
        if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
          throw new AssertionError("waited in vain for " + what + ": " + otherwise.call());
        }
        Thread.sleep(LOOK_AGAIN_MILLIS);
      }
    } catch (Exception failed) {
      throw new AssertionError("failed while waiting for " + what, failed);
    }
  }
}
