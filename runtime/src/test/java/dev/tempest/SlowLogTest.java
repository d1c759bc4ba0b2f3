package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an application does with log lines never ends, or fails: nodes go on. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SlowLogTest {
  private static final Logger LOGGER = Logger.getLogger("dev.tempest.runtime.node.Attendance");

  /** Does something with each line about a member: the event loop says who comes. */
  private static final class Lines extends Handler {
    private final Runnable fate;

    Lines(Runnable fate) {
      this.fate = fate;
    }

    @Override
    public void publish(LogRecord line) {
      fate.run();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private final CountDownLatch met = new CountDownLatch(1);
  private final CountDownLatch read = new CountDownLatch(1);
  private Handler lines = new Lines(() -> {});

  private void each(Runnable fate) {
    lines = new Lines(fate);
    LOGGER.addHandler(lines);
  }

  @AfterEach
  void usual() {
    LOGGER.removeHandler(lines);
    read.countDown();
  }

  @Test
  void nobodyReadsIt() throws InterruptedException {
    each(() -> {
      met.countDown();
      awaitUninterrupted(read);
    });
    aNodeWritesAfterAnotherOneHasCome();
    assertThat(read.getCount()).as("still nobody reads it").isOne();
  }

  @Test
  void itFails() throws InterruptedException {
    each(() -> {
      met.countDown();
      throw new StackOverflowError("of a test");
    });
    aNodeWritesAfterAnotherOneHasCome();
  }

  private void aNodeWritesAfterAnotherOneHasCome() throws InterruptedException {
    try (JoinedNodes nodes = new JoinedNodes()) {
      Map<String, Integer> first = nodes.join().map("m", String.class, Integer.class);
      Map<String, Integer> second = nodes.join().map("m", String.class, Integer.class);
      met.await(); // The loop of the first node has said that the second one came.
      first.put("a", 1);
      eventually("the other node has it", () -> second.get("a") != null);
      second.put("b", 2);
      eventually("and answers", () -> first.get("b") != null);
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError("nobody interrupts it", interrupted);
    }
  }
}
