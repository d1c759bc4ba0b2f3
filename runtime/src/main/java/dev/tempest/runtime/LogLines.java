package dev.tempest.runtime;

import dev.tempest.values.encoding.UserCode;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Log lines that wait to be written: whoever logs adds one, and a thread that lives only while some
 * wait writes them, in that order. So whatever the application does with a line, such as writing it
 * to a console that nobody reads, or failing, neither holds up nor ends the event loop.
 *
 * <p>If too many wait, the next ones are left out, and their number is logged in their place.
 * Thread-safe.
 */
public final class LogLines {
  static final int LINES_MAX = 1_024;

  /** A line longer than this still has a place if no other one waits. */
  static final int CHARS_MAX = 1 << 20;

  private static final LogLines OF_PROCESS = new LogLines();

  private static final class Line {
    final System.Logger log;
    final Level level;
    final String text;
    final @Nullable Throwable thrown;

    /** How many after this one were left out; counted only while it waits. */
    int missing;

    Line(System.Logger log, Level level, String text, @Nullable Throwable thrown) {
      this.log = log;
      this.level = level;
      this.text = text;
      this.thrown = thrown;
    }
  }

  private final Deque<Line> waiting = new ArrayDeque<>();
  private int waitingChars;
  private @Nullable Thread writer;

  LogLines() {}

  /** The way to the log for all lines of a class. */
  public static System.Logger logger(Class<?> type) {
    return OF_PROCESS.logger(System.getLogger(type.getName()));
  }

  /** Waits until what this process has logged is written, but no longer than that. */
  public static void flush(Duration patience) {
    OF_PROCESS.await(patience);
  }

  System.Logger logger(System.Logger log) {
    return new Queued(log);
  }

  void await(Duration patience) {
    Thread last = startedWriter();
    if (last == null || last.equals(Thread.currentThread())) { // What is logged to may close nodes.
      return;
    }
    boolean interrupted = false;
    long untilNanos = System.nanoTime() + patience.toNanos();
    while (last.isAlive() && untilNanos - System.nanoTime() > 0) {
      try {
        last.join(Duration.ofNanos(untilNanos - System.nanoTime()));
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void add(Line line) {
    Line last = waiting.peekLast();
    if (last != null && !hasRoomFor(line)) {
      last.missing++;
      return;
    }
    waiting.add(line);
    waitingChars += line.text.length();
    var unused = startedWriter();
  }

  private boolean hasRoomFor(Line line) {
    return waiting.size() < LINES_MAX && waitingChars + line.text.length() <= CHARS_MAX;
  }

  /** The thread that writes all that waits; null if nothing waits or is being written. */
  private synchronized @Nullable Thread startedWriter() {
    if (!waiting.isEmpty() && (writer == null || !writer.isAlive())) {
      try {
        writer = Thread.ofPlatform().daemon().name("tempest-log-lines").unstarted(this::write);
        writer.start();
      } catch (OutOfMemoryError noMoreThreads) {
        return null; // The next line, or whoever waits, tries again.
      }
    }
    return writer;
  }

  private void write() {
    for (Line line = next(); line != null; line = next()) {
      write(line);
      if (line.missing > 0) {
        write(new Line(line.log, Level.WARNING, missing(line.missing), null));
      }
    }
  }

  private synchronized @Nullable Line next() {
    Line line = waiting.poll();
    if (line == null) {
      writer = null;
    } else {
      waitingChars -= line.text.length();
    }
    return line;
  }

  private static String missing(int lines) {
    return (lines == 1 ? "1 log line is" : lines + " log lines are")
        + " missing here: whatever writes or reads the log was too slow";
  }

  /**
   * Where what was thrown cannot be printed, which may be code of users, it is described. That is
   * found out before: handlers of java.util.logging swallow what printing throws, and the line.
   */
  private static void write(Line line) {
    Throwable thrown = line.thrown;
    if (thrown != null && !isPrintable(thrown)) {
      write(described(line, thrown));
      return;
    }
    try {
      line.log.log(line.level, line.text, thrown);
    } catch (Throwable failed) {
      if (thrown != null) {
        write(described(line, thrown));
      }
    }
  }

  private static boolean isPrintable(Throwable thrown) {
    try {
      thrown.printStackTrace(new PrintWriter(Writer.nullWriter()));
      return true;
    } catch (Throwable itself) {
      return false;
    }
  }

  private static Line described(Line line, Throwable thrown) {
    return new Line(line.log, line.level, line.text + ": " + UserCode.describe(thrown), null);
  }

  /** Makes the texts, since what they tell of may have changed when they are written. */
  private final class Queued implements System.Logger {
    private final System.Logger log;

    Queued(System.Logger log) {
      this.log = log;
    }

    @Override
    public String getName() {
      return log.getName();
    }

    @Override
    public boolean isLoggable(Level level) {
      try {
        return log.isLoggable(level);
      } catch (Throwable failed) {
        return true; // It may be written all the same.
      }
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle none, String text, @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        add(new Line(log, level, text, thrown));
      }
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle none, String format, Object @Nullable ... values) {
      if (isLoggable(level)) {
        add(new Line(log, level, text(format, values), null));
      }
    }

    private static String text(String format, Object @Nullable [] values) {
      if (values == null || values.length == 0) {
        return format;
      }
      try {
        return MessageFormat.format(format, values);
      } catch (Throwable unprintable) {
        UserCode.rethrowIfFatal(unprintable);
        return format;
      }
    }
  }
}
