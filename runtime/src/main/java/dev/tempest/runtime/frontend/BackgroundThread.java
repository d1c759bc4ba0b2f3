package dev.tempest.runtime.frontend;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that runs a task each time that it is woken: started when it is first needed, and
 * again if it has died, whatever of. Thread-safe.
 */
final class BackgroundThread implements AutoCloseable {
  private final Runnable task;
  private @Nullable Thread thread;
  private volatile boolean woken;
  private volatile boolean closed;

  BackgroundThread(Runnable task) {
    this.task = task;
  }

  /** Has it run the task once more, after what it runs now. */
  synchronized void wake() {
    woken = true;
    if (thread != null && thread.isAlive()) {
      LockSupport.unpark(thread);
    } else if (!closed) {
      thread = new Uninterrupted(this::run);
      thread.start();
    }
  }

  /** It ends when it has nothing to run. */
  @Override
  public synchronized void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** Code of callers may run in it; if that interrupts it, nothing that waits is to notice. */
  private static final class Uninterrupted extends Thread {
    Uninterrupted(Runnable task) {
      super(task, "tempest-front-end");
      setDaemon(true);
    }

    @Override
    public void interrupt() {
      // Nobody waits for it to end.
    }
  }

  private void run() {
    try {
      while (!closed) {
        if (woken) {
          woken = false;
          task.run();
        } else {
          LockSupport.park(this);
        }
      }
    } finally {
      replaceIfNeeded();
    }
  }

  private synchronized void replaceIfNeeded() {
    if (!closed) {
      thread = null;
      wake();
    }
  }
}
