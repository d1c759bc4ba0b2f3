package dev.tempest.bench;

import dev.tempest.cli.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table for a terminal and for a page; the first column names what the others are of. */
record Table(String caption, List<String> head, List<List<String>> rows) {

  /**
   * A column of a table of points.
   *
   * @param cell what it says of the points of a row
   */
  record Column(String title, Function<Points, String> cell) {
    /**
     * Medians of numbers, each {@code title=field} or only the field; empty if no point of the row
     * has it.
     */
    static List<Column> medians(String... titlesAndFields) {
      return Stream.of(titlesAndFields)
          .map(each -> {
            String[] parts = each.split("=", 2);
            String field = parts[parts.length - 1];
            return new Column(
                parts[0],
                points ->
                    points.having(field).isEmpty() ? "" : Spread.number(points.median(field)));
          })
          .toList();
    }
  }

  /**
   * A row for each combination of values that the labels have, in the order of the points.
   *
   * @param labels fields, with commas between
   */
  static Table of(String caption, Points points, String labels, List<Column> columns) {
    List<String> head = new ArrayList<>(Setting.parts(labels));
    columns.forEach(column -> head.add(column.title()));
    List<List<String>> rows = new ArrayList<>();
    for (Points each : points.by(labels)) {
      List<String> row = new ArrayList<>(Setting.parts(labels));
      row.replaceAll(each::text);
      columns.forEach(column -> row.add(column.cell().apply(each)));
      rows.add(row);
    }
    return new Table(caption, head, rows);
  }

  /** The same without columns in which nothing stands. */
  Table withoutEmptyColumns() {
    List<Integer> filled =
        IntStream.range(0, head.size())
            .filter(column -> rows.stream().anyMatch(row -> !row.get(column).isEmpty()))
            .boxed()
            .toList();
    return new Table(caption, at(filled, head), rows.stream().map(row -> at(filled, row)).toList());
  }

  private static List<String> at(List<Integer> columns, List<String> row) {
    return columns.stream().map(row::get).toList();
  }

  void print(PrintWriter out) {
    TextTable text = new TextTable(Integer.MAX_VALUE);
    text.row(head.getFirst(), head.subList(1, head.size()));
    rows.forEach(row -> text.row(row.getFirst(), row.subList(1, row.size())));
    out.printf("%n%s%n", caption);
    text.lines().forEach(out::println);
  }
}
