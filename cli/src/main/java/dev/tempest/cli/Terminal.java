package dev.tempest.cli;

import org.jspecify.annotations.Nullable;

/** What is known of the terminal. */
final class Terminal {
  private static final int DEFAULT_WIDTH = 80;
  private static final int WIDTH_MIN = 40;
  private static final int WIDTH_MAX = 200;

  private Terminal() {}

  /** How many characters fit a line: COLUMNS, which the launcher sets on a terminal, else 80. */
  static int width() {
    return width(System.getenv("COLUMNS"));
  }

  static int width(@Nullable String columns) {
    if (columns == null || !columns.matches("[1-9][0-9]{0,4}")) {
      return DEFAULT_WIDTH;
    }
    return Math.clamp(Integer.parseInt(columns), WIDTH_MIN, WIDTH_MAX);
  }
}
