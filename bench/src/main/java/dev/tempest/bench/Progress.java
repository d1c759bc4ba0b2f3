package dev.tempest.bench;

import java.io.Console;
import java.io.PrintWriter;

/** One line on a terminal that says what is going on; nothing elsewhere. */
final class Progress {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;

  @SuppressWarnings("SystemConsoleNull") // It does in JDK 25, where standard input is no terminal.
  Progress(PrintWriter out) {
    this.out = out;
    Console console = System.console();
    this.terminal = console != null && console.isTerminal();
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
