package dev.tempest.bench;

import java.io.PrintWriter;
import java.util.Objects;

/** One line on a terminal that says what is going on; nothing elsewhere. */
final class Progress {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;

  Progress(PrintWriter out) {
    this.out = out;
    this.terminal = Objects.requireNonNull(System.console()).isTerminal();
  }

  void say(String what) {
    if (terminal) {
      out.print(CLEAR_LINE + what);
      out.flush();
    }
  }

  void clear() {
    say("");
  }
}
