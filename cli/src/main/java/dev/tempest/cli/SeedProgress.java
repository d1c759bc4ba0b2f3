package dev.tempest.cli;

import java.io.PrintWriter;
import java.util.Locale;

/** How far a long run is: one line that changes on a terminal, a line now and then elsewhere. */
final class SeedProgress {
  private static final double SECONDS_BETWEEN_LINES = 10;
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter out;
  private final boolean terminal;
  private double nextSeconds;

  @SuppressWarnings(
      "SystemConsoleNull") // It is null in Java 21 and 25, where input is no terminal.
  SeedProgress(PrintWriter out) {
    this.out = out;
    this.terminal = System.console() != null;
    this.nextSeconds = terminal ? 0 : SECONDS_BETWEEN_LINES;
  }

  /** Shows it if it is time to. */
  void show(long done, long count, double seconds) {
    if (seconds >= nextSeconds) {
      nextSeconds = terminal ? 0 : nextSeconds + SECONDS_BETWEEN_LINES;
      out.print((terminal ? CLEAR : "") + line(done, count, seconds) + (terminal ? "" : "\n"));
      out.flush();
    }
  }

  /** Leaves the line to what comes next. */
  void clear() {
    if (terminal) {
      out.print(CLEAR);
      out.flush();
    }
  }

  static String line(long done, long count, double seconds) {
    double rate = done / Math.max(seconds, 1e-3);
    String left = done == 0 ? "?" : time((count - done) / rate);
    return String.format(
        Locale.ROOT, "%,d of %,d seeds, %s, %s left", done, count, rate(rate), left);
  }

  /** A busy machine or a slow world gives less than one a second. */
  static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.1f/s" : "%.0f/s", perSecond);
  }

  private static String time(double seconds) {
    long rounded = Math.round(seconds);
    return rounded < 3_600
        ? String.format(Locale.ROOT, "%d:%02d", rounded / 60, rounded % 60)
        : String.format(Locale.ROOT, "%d:%02d h", rounded / 3_600, rounded % 3_600 / 60);
  }
}
