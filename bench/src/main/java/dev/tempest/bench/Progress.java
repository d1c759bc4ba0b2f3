package dev.tempest.bench;

import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Says how far a run is: on a terminal at once, in one line; elsewhere a line now and then. */
final class Progress {
  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private final PrintWriter out;
  private final boolean onTerminal;
  private final LongSupplier nanoTime;
  private long saidNanos;

  Progress(PrintWriter out, boolean onTerminal, LongSupplier nanoTime) {
    this.out = out;
    this.onTerminal = onTerminal;
    this.nanoTime = nanoTime;
    this.saidNanos = nanoTime.getAsLong();
  }

  /** On the terminal of this process, if it has one. */
  @SuppressWarnings("SystemConsoleNull") // It does in JDK 25, where standard input is no terminal.
  static Progress of(PrintWriter out, PrintWriter err) {
    Console console = System.console();
    boolean onTerminal = console != null && console.isTerminal();
    return new Progress(onTerminal ? out : err, onTerminal, System::nanoTime);
  }

  /** Says what is going on. */
  void say(String what) {
    if (onTerminal) {
      out.print(CLEAR_LINE + what);
      out.flush();
    } else if (nanoTime.getAsLong() - saidNanos >= PAUSE_NANOS) {
      saidNanos = nanoTime.getAsLong();
      out.println(what);
      out.flush();
    }
  }

  /** The line is free for something else. */
  void end() {
    if (onTerminal) {
      say("");
    }
  }
}
