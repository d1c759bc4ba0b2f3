package dev.tempest.runtime;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LogLinesTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String UNPRINTABLE =
      ": " + Unprintable.class.getName() + ": its message cannot be had";

  /** What an application does with lines. */
  private class Log implements System.Logger {
    @Override
    public String getName() {
      return "of a test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level != Level.DEBUG;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle none, String text, @Nullable Throwable thrown) {
      written.add(thrown == null ? text : text + ", " + thrown.getMessage());
      writers.add(Thread.currentThread());
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle none, String format, Object @Nullable ... values) {
      throw new AssertionError("its text is made before");
    }
  }

  /** Reads a line only when it may. */
  private final class Slow extends Log {
    @Override
    public void log(
        Level level, @Nullable ResourceBundle none, String text, @Nullable Throwable thrown) {
      met.countDown();
      try {
        read.await();
      } catch (InterruptedException interrupted) {
        throw new AssertionError("nobody interrupts it", interrupted);
      }
      super.log(level, none, text, thrown);
    }
  }

  /** Fails for lines that say so. */
  private final class Failing extends Log {
    @Override
    public boolean isLoggable(Level level) {
      throw new NoClassDefFoundError("its application has ended");
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle none, String text, @Nullable Throwable thrown) {
      if (text.contains("fail")) {
        throw new StackOverflowError("of a test");
      }
      super.log(level, none, text, thrown);
    }
  }

  /** Prints what was thrown, and reports elsewhere that it cannot, as java.util.logging does. */
  private final class Swallowing extends Log {
    @Override
    public void log(
        Level level, @Nullable ResourceBundle none, String text, @Nullable Throwable thrown) {
      StringWriter printed = new StringWriter();
      try {
        if (thrown != null) {
          thrown.printStackTrace(new PrintWriter(printed, true));
        }
      } catch (Throwable elsewhere) {
        return;
      }
      written.add(text + printed.toString().lines().limit(1).collect(Collectors.joining()));
    }
  }

  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new StackOverflowError("its message describes itself");
    }
  }

  private final LogLines lines = new LogLines();
  private final List<String> written = new CopyOnWriteArrayList<>();
  private final List<Thread> writers = new CopyOnWriteArrayList<>();
  private final CountDownLatch met = new CountDownLatch(1);
  private final CountDownLatch read = new CountDownLatch(1);

  @Test
  void areWrittenInTheirOrder() {
    System.Logger one = lines.logger(new Log());
    System.Logger other = lines.logger(new Log());
    for (int i = 0; i < 100; i++) {
      (i % 3 == 0 ? one : other).log(Level.INFO, "line {0}", i);
    }
    lines.await(LONG);
    assertThat(written)
        .containsExactlyElementsOf(IntStream.range(0, 100).mapToObj(i -> "line " + i).toList());
  }

  @Test
  void aValueThatCannotBePrintedIsLeftOut() {
    Object unprintable =
        new Object() {
          @Override
          public String toString() {
            throw new StackOverflowError("of a test");
          }
        };
    System.Logger logger = lines.logger(new Log());
    logger.log(Level.DEBUG, "nobody wants it", new Unprintable());
    logger.log(Level.INFO, "value {0}", unprintable);
    lines.await(LONG);
    assertThat(written).containsExactly("value {0}"); // As java.util.logging does.
  }

  @Test
  void thoseThatHaveNoRoomAreCountedAtTheirPlace() throws InterruptedException {
    System.Logger logger = lines.logger(new Slow());
    logger.log(Level.INFO, "first");
    met.await();
    for (int i = 0; i < LogLines.LINES_MAX + 7; i++) {
      logger.log(Level.INFO, "line {0}", String.valueOf(i));
    }
    read.countDown();
    lines.await(LONG);
    logger.log(Level.INFO, "last");
    lines.await(LONG);
    assertThat(written).hasSize(1 + LogLines.LINES_MAX + 2).startsWith("first", "line 0");
    assertThat(written.subList(LogLines.LINES_MAX, written.size()))
        .containsExactly(
            "line 1023",
            "7 log lines are missing here: whatever writes or reads the log was too slow",
            "last");
  }

  @Test
  void aLongOneHasRoomIfNoOtherOneWaits() throws InterruptedException {
    String tooLong = "x".repeat(LogLines.CHARS_MAX + 1);
    System.Logger logger = lines.logger(new Slow());
    logger.log(Level.INFO, tooLong);
    met.await();
    logger.log(Level.INFO, "short");
    logger.log(Level.INFO, tooLong);
    logger.log(Level.INFO, "short again");
    read.countDown();
    lines.await(LONG);
    assertThat(written)
        .containsExactly(
            tooLong,
            "short",
            "1 log line is missing here: whatever writes or reads the log was too slow",
            "short again");
  }

  @Test
  void aLogThatFailsEndsNothing() {
    System.Logger logger = lines.logger(new Failing());
    logger.log(Level.INFO, "may fail");
    logger.log(Level.INFO, "works");
    lines.await(LONG);
    logger.log(Level.INFO, "works again");
    lines.await(LONG);
    assertThat(written).containsExactly("works", "works again");
  }

  @Test
  void whatCannotBePrintedIsDescribed() {
    lines.logger(new Log()).log(Level.WARNING, "A listener threw", new Unprintable());
    lines.await(LONG);
    assertThat(written).containsExactly("A listener threw" + UNPRINTABLE);
  }

  @Test
  void aLogThatSwallowsWhatPrintingThrowsLosesNoLine() {
    System.Logger logger = lines.logger(new Swallowing());
    logger.log(Level.WARNING, "A listener threw", new Unprintable());
    logger.log(
        Level.WARNING, "Another one threw", new RuntimeException("outer", new Unprintable()));
    logger.log(Level.WARNING, "As usual, ", new RuntimeException("why"));
    lines.await(LONG);
    assertThat(written).hasSize(3);
    assertThat(written.get(0)).isEqualTo("A listener threw" + UNPRINTABLE);
    assertThat(written.get(1)).isEqualTo("Another one threw: java.lang.RuntimeException: outer");
    assertThat(written.get(2)).isEqualTo("As usual, java.lang.RuntimeException: why");
  }

  @Test
  void nobodyWaitsForALogThatNobodyReads() throws InterruptedException {
    lines.logger(new Slow()).log(Level.INFO, "first");
    met.await();
    Thread.currentThread().interrupt();
    lines.await(Duration.ofMillis(20));
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(written).isEmpty();
    read.countDown();
  }

  @Test
  void theThreadEndsWithThem() {
    System.Logger logger = lines.logger(new Log());
    logger.log(Level.INFO, "first");
    lines.await(LONG);
    logger.log(Level.INFO, "second");
    lines.await(LONG);
    assertThat(writers).hasSize(2).doesNotHaveDuplicates().allMatch(Thread::isDaemon);
    eventually("they end", () -> writers.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void aLogMayWaitForLinesItself() {
    lines
        .logger(
            new Log() {
              @Override
              public void log(
                  Level level,
                  @Nullable ResourceBundle none,
                  String text,
                  @Nullable Throwable thrown) {
                lines.await(LONG); // As Node.close() does, which it may call.
                super.log(level, none, text, thrown);
              }
            })
        .log(Level.INFO, "first");
    lines.await(LONG.dividedBy(2));
    assertThat(written).containsExactly("first");
  }
}
