package dev.tempest.runtime;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what has to come true; how long it takes is not asserted. */
public final class Eventually {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private Eventually() {}

  /** Returns once {@code condition} holds; fails, naming {@code what}, if it never does. */
  public static void eventually(String what, Callable<Boolean> condition) {
    long startNanos = System.nanoTime();
    try {
      while (!condition.call()) {
        if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
          throw new AssertionError("never came true: " + what);
        }
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      }
    } catch (Exception failed) {
      throw new AssertionError("failed while waiting for: " + what, failed);
    }
  }
}
