package dev.tempest.runtime.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BackgroundThreadTest {
  private final BlockingQueue<Thread> runs = new LinkedBlockingQueue<>();

  @Test
  void runsOnceForEachTimeThatItIsWoken() throws InterruptedException {
    try (BackgroundThread background =
        new BackgroundThread(() -> runs.add(Thread.currentThread()))) {
      background.wake();
      Thread first = runs.take();
      background.wake();
      assertThat(runs.take()).isEqualTo(first);
      assertThat(runs).isEmpty();
    }
  }

  @Test
  void isNotInterruptedByWhatRunsInIt() throws InterruptedException {
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    try (BackgroundThread background =
        new BackgroundThread(() -> {
          Thread.currentThread().interrupt();
          interrupted.add(Thread.currentThread().isInterrupted()); // A selector would not wait.
        })) {
      background.wake();
      assertThat(interrupted.take()).isFalse();
    }
  }

  @Test
  void aThreadThatDiesIsReplaced() throws InterruptedException {
    try (BackgroundThread background =
        new BackgroundThread(() -> {
          Thread.currentThread().setUncaughtExceptionHandler((thread, expected) -> {});
          runs.add(Thread.currentThread());
          throw new StackOverflowError("of a test");
        })) {
      background.wake();
      Thread first = runs.take();
      assertThat(runs.take()).isNotEqualTo(first); // Something may be under way: it goes on.
    }
  }
}
