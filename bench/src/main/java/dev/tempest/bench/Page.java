package dev.tempest.bench;

import static java.util.stream.Collectors.joining;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A page that shows an experiment, beside that of a paper where there is one: what was run there
 * and here, what was found, in shapes and ratios. Times of another age's machines are not compared.
 *
 * <p>One file that needs no other and no network. What is handed in is plain text. Not thread-safe.
 */
final class Page {
  private static final String GOALS = "Ratios of the same rounds, and goals";
  private static final String CLAIMS = "Side by side";

  private final Words words;
  private final List<String> ours = new ArrayList<>();
  private final List<List<String>> claims = new ArrayList<>();
  private final List<Point> goals = new ArrayList<>();
  private final List<List<String>> goalRows = new ArrayList<>();
  private final Map<Chart, String> charts = new LinkedHashMap<>();
  private final List<Table> tables = new ArrayList<>();

  /** A page with nothing but words on it yet. */
  Page(Words words) {
    this.words = words;
    ours.addAll(words.under("ours"));
  }

  /** Says something of what we ran: a paragraph. */
  void ours(String paragraph) {
    ours.add(paragraph);
  }

  /** Says on which machine ours was measured, and how busy it was with other things. */
  void measuredHere() {
    ours(
        String.format(
            Locale.ROOT,
            "Measured on a machine with %d cores (%s, JDK %s), all processes on loopback; its load"
                + " average at the end was %.1f.",
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            Runtime.version().feature(),
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
  }

  /** Compares a shape or a ratio with what the paper found. */
  void compare(String what, String found, String foundHere) {
    claims.add(List.of(what, found, foundHere));
  }

  /** Shows a number whose median is to be at most so much. */
  void atMost(double bound, String what, Spread measured) {
    goal(what, measured, "at most", bound, measured.median() <= bound);
  }

  /** Shows a number whose median is to be at least so much. */
  void atLeast(double bound, String what, Spread measured) {
    goal(what, measured, "at least", bound, measured.median() >= bound);
  }

  private void goal(String what, Spread measured, String sense, double bound, boolean reached) {
    String words = sense + " " + Spread.number(bound);
    goalRows.add(List.of(what, measured.toString(), words, reached ? "reached" : "NOT reached"));
    goals.add(toPoint(what, measured).with("sense", sense, "bound", bound, "reached", reached));
  }

  /** Shows a number. */
  void shown(String what, Spread measured) {
    goalRows.add(List.of(what, measured.toString(), "", ""));
    goals.add(toPoint(what, measured));
  }

  private static Point toPoint(String what, Spread measured) {
    return Point.of(
        "goal", what,
        "median", measured.median(),
        "lowest", measured.lowest(),
        "highest", measured.highest());
  }

  /** Shows a picture. */
  void chart(Chart chart, String caption) {
    charts.put(chart, caption);
  }

  /** Shows a {@link Table#of}, unless it has no rows. */
  void table(String caption, Points points, String labels, List<Column> columns) {
    if (!points.isEmpty()) {
      tables.add(Table.of(caption, points, labels, columns));
    }
  }

  /** The numbers shown, with what they are to be, for programs. */
  List<Point> goals() {
    return List.copyOf(goals);
  }

  private List<Table> tablesAndGoals() {
    List<Table> all = new ArrayList<>(tables);
    if (!goals.isEmpty()) {
      all.add(new Table(GOALS, List.of("", "median [lowest .. highest]", "to be", ""), goalRows));
    }
    all.replaceAll(Table::withoutEmptyColumns);
    return all;
  }

  /** Prints what is measured, and beside what the paper found; the words are on the page. */
  void print(PrintWriter out) {
    out.println(words.title());
    tablesAndGoals().forEach(table -> table.print(out));
    if (!claims.isEmpty()) {
      sideBySide(CLAIMS).print(out);
    }
  }

  private Table sideBySide(String caption) {
    return new Table(caption, List.of("", "paper", "ours"), claims);
  }

  /**
   * Writes the page and its pictures into a folder.
   *
   * @return the page
   */
  Path write(Path folder) throws IOException {
    StringBuilder pictures = new StringBuilder();
    for (Map.Entry<Chart, String> each : charts.entrySet()) {
      byte[] svg = each.getKey().toSvg();
      Files.write(folder.resolve(each.getKey().name() + ".svg"), svg);
      String data = Base64.getEncoder().encodeToString(svg);
      String image = "<img alt=\"\" src=\"data:image/svg+xml;base64," + data + "\">";
      String caption = element("figcaption", text(each.getValue()));
      pictures.append(section("", element("figure", image + caption)));
    }
    String html =
        Words.read("page.html")
            .replace("{id}", text(words.id()))
            .replace("{title}", text(words.title()))
            .replace("{source}", text(words.source()))
            .replace("{paper}", section("The paper", elements("p", words.under("paper"))))
            .replace("{ours}", section("Ours", elements("p", ours)))
            .replace("{claims}", claims.isEmpty() ? "" : section(CLAIMS, html(sideBySide(""))))
            .replace(
                "{tables}",
                tablesAndGoals().stream().map(each -> section("", html(each))).collect(joining()))
            .replace(
                "{differs}",
                section("What differs from the paper", elements("p", words.under("differs"))))
            .replace("{pictures}", pictures);
    return Files.writeString(folder.resolve("index.html"), html);
  }

  private static String section(String title, String html) {
    String head = title.isEmpty() ? "" : element("h2", title);
    return html.isEmpty() ? "" : element("section", head + html);
  }

  private static String html(Table table) {
    String caption = table.caption().isEmpty() ? "" : element("caption", text(table.caption()));
    String head = element("thead", element("tr", elements("th", table.head())));
    String rows =
        table.rows().stream().map(row -> element("tr", elements("td", row))).collect(joining());
    return element("table", caption + head + element("tbody", rows));
  }

  private static String elements(String tag, List<String> texts) {
    return texts.stream().map(each -> element(tag, text(each))).collect(joining());
  }

  private static String element(String tag, String html) {
    return "<%s>%s</%s>".formatted(tag, html, tag);
  }

  private static String text(String plain) {
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
