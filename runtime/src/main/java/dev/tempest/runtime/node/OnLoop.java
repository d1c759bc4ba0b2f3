package dev.tempest.runtime.node;

import dev.tempest.runtime.transport.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the machines on the loop that owns them, from any other thread.
 *
 * @param thread of the loop
 */
record OnLoop(EventLoop loop, Thread thread) {
  /** Whether the loop runs no more. */
  boolean hasEnded() {
    return thread.getState() == Thread.State.TERMINATED;
  }

  /** For how long the loop has done one thing; 0 while it waits. */
  long busyNanos() {
    long sinceNanos = loop.busySinceNanos();
    return sinceNanos == EventLoop.NOT_BUSY ? 0 : System.nanoTime() - sinceNanos;
  }

  /** Waits for the answer; once the loop has ended, the machines are anybody's. */
  <T> T ask(Callable<T> question) throws InterruptedException {
    FutureTask<T> answer = new FutureTask<>(question);
    if (!loop.execute(answer)) {
      answer.run();
    }
    while (true) {
      try {
        return answer.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException late) {
        if (!thread.isAlive()) {
          answer.run();
        }
      } catch (ExecutionException bug) {
        throw cannotTell(bug);
      }
    }
  }

  /**
   * Empty if the loop does not run, or is busy for longer, as with a method that never returns; or
   * if this thread is interrupted, which it stays.
   */
  <T> Optional<T> askWithin(Duration patience, Callable<T> question) {
    FutureTask<T> answer = new FutureTask<>(question);
    if (thread.getState() == Thread.State.NEW || !loop.execute(answer)) {
      return Optional.empty();
    }
    try {
      return Optional.of(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException busy) {
      answer.cancel(false);
      return Optional.empty();
    } catch (ExecutionException bug) {
      throw cannotTell(bug);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static IllegalStateException cannotTell(ExecutionException bug) {
    return new IllegalStateException("the process cannot tell", bug);
  }
}
