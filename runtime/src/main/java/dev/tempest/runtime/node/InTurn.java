package dev.tempest.runtime.node;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs what it is given one after the other, in threads that it shares with others. Thread-safe.
 */
final class InTurn implements Executor {
  private final Executor threads;

  /** Guarded by itself, as what follows. */
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private boolean runs;

  InTurn(Executor threads) {
    this.threads = threads;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (waiting) {
      waiting.add(task);
      if (runs) {
        return;
      }
      runs = true;
    }
    threads.execute(this::runAll);
  }

  private void runAll() {
    for (Runnable next = next(); next != null; next = next()) {
      next.run();
    }
  }

  private @Nullable Runnable next() {
    synchronized (waiting) {
      Runnable next = waiting.poll();
      runs = next != null;
      return next;
    }
  }
}
