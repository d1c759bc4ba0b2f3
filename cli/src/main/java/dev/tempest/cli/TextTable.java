package dev.tempest.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows with a name each and a value per column, laid out for a terminal. */
public final class TextTable {
  private static final String GAP = "  ";

  private final int widthMax;
  private final List<String> names = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Without rows yet.
   *
   * @param widthMax how many characters a line may have
   */
  public TextTable(int widthMax) {
    this.widthMax = widthMax;
  }

  /** Adds a row; the first one is the heading. All have equally many values. */
  public void row(String name, List<String> values) {
    if (!rows.isEmpty() && rows.getFirst().size() != values.size()) {
      throw new IllegalArgumentException(
          name + " has " + values.size() + " values, the heading " + rows.getFirst().size());
    }
    names.add(name);
    rows.add(List.copyOf(values));
  }

  /** The lines; columns that do not fit follow in a block below. */
  public List<String> lines() {
    int nameWidth = names.stream().mapToInt(String::length).max().orElse(0);
    var lines = new ArrayList<String>();
    int columns = rows.isEmpty() ? 0 : rows.getFirst().size();
    int from = 0;
    while (from < columns) {
      int to = from;
      int width = nameWidth;
      do {
        width += GAP.length() + columnWidth(to);
        to++;
      } while (to < columns && width + GAP.length() + columnWidth(to) <= widthMax);
      if (from > 0) {
        lines.add("");
      }
      for (int row = 0; row < rows.size(); row++) {
        lines.add(line(row, nameWidth, from, to));
      }
      from = to;
    }
    return lines;
  }

  private String line(int row, int nameWidth, int from, int to) {
    var line = new StringBuilder(names.get(row));
    line.repeat(' ', nameWidth - line.length());
    for (int column = from; column < to; column++) {
      String value = rows.get(row).get(column);
      line.append(GAP).repeat(' ', columnWidth(column) - value.length()).append(value);
    }
    return line.toString().stripTrailing();
  }

  private int columnWidth(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
