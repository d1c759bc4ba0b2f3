package dev.tempest.jcache;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Loads that go on while whoever asked for them does something else. The loader is closed once they
 * have ended, or have had their time: one that ran later would open again what a loader uses, and
 * nobody would close that. Thread-safe.
 */
final class BackgroundLoads implements AutoCloseable {
  private final Set<Thread> underWay = new HashSet<>();
  private boolean isClosed;

  /**
   * Starts one.
   *
   * @throws IllegalStateException if the cache is closed
   */
  void start(Runnable load) {
    Thread thread = Thread.ofVirtual().name("tempest-jcache-load").unstarted(() -> run(load));
    synchronized (this) {
      if (isClosed) {
        throw new IllegalStateException("The cache is closed");
      }
      underWay.add(thread); // Now, so that even one that has yet to begin is waited for.
      thread.start(); // Nobody can wait for a thread that has not been started.
    }
  }

  private void run(Runnable load) {
    try {
      load.run();
    } finally {
      synchronized (this) {
        underWay.remove(Thread.currentThread());
      }
    }
  }

  /**
   * Waits for those under way, for as long as whoever wants a key waits for its loader. A loader
   * may close its own cache.
   */
  @Override
  public void close() {
    Set<Thread> others;
    synchronized (this) {
      isClosed = true;
      others = new HashSet<>(underWay);
    }
    others.remove(Thread.currentThread());
    long untilNanos = System.nanoTime() + KeyLocks.WAIT_MAX.toNanos();
    try {
      for (Thread each : others) {
        each.join(Duration.ofNanos(Math.max(0, untilNanos - System.nanoTime())));
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
