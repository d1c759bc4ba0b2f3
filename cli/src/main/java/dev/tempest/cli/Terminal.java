package dev.tempest.cli;

import java.util.ArrayList;
import java.util.List;
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

  /** The words of a text on lines of at most so many characters; a longer word stands alone. */
  static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
