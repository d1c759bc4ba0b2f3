package dev.tempest.bench;

import static java.util.stream.Collectors.joining;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A page that shows an experiment, beside that of a paper where there is one: what was run there
 * and here, what was found, in shapes and ratios. Times of another age's machines are not compared.
 *
 * <p>One file that needs no other and no network. What is handed in is plain text. Not thread-safe.
 */
final class Page {
  private static final String FILE = "index.html";

  private final Words words;
  private final List<String> ours = new ArrayList<>();
  private final List<List<String>> claims = new ArrayList<>();
  private final List<Goal> goals = new ArrayList<>();
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

  /** Shows a number that is to be at most so much. */
  void atMost(double bound, String what, Spread measured) {
    goals.add(new Goal(what, measured, Goal.Sense.AT_MOST, bound));
  }

  /** Shows a number that is to be at least so much. */
  void atLeast(double bound, String what, Spread measured) {
    goals.add(new Goal(what, measured, Goal.Sense.AT_LEAST, bound));
  }

  /** Shows a number. */
  void shown(String what, Spread measured) {
    goals.add(new Goal(what, measured, Goal.Sense.ANY, 0));
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

  List<Goal> goals() {
    return List.copyOf(goals);
  }

  private List<Table> tablesAndGoals() {
    List<String> head = List.of("", "median [lowest .. highest]", "to be", "");
    List<List<String>> rows = goals.stream().map(Goal::toRow).toList();
    return Stream.concat(
            tables.stream(),
            Stream.of(new Table("Ratios of the same rounds, and goals", head, rows)))
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  /** Prints what is measured; the words are on the page. */
  void print(PrintWriter out) {
    out.println(words.title());
    tablesAndGoals().forEach(table -> table.print(out));
  }

  /**
   * Writes the page and its pictures into a folder.
   *
   * @return the page
   */
  Path write(Path folder) throws IOException {
    StringBuilder pictures = new StringBuilder();
    for (Map.Entry<Chart, String> each : charts.entrySet()) {
      String svg = each.getKey().toSvg();
      Files.writeString(folder.resolve(each.getKey().file()), svg);
      pictures.append("<section><figure><div class=\"drawing\">");
      pictures.append(asPart(svg.substring(svg.indexOf("<svg")), each.getKey().file()));
      pictures.append("</div>\n").append(element("figcaption", text(each.getValue())));
      pictures.append("</figure></section>\n");
    }
    String claimed =
        claims.isEmpty() ? "" : html(new Table("", List.of("", "paper", "ours"), claims));
    String html =
        Words.read("page.html")
            .replace("{id}", text(words.id()))
            .replace("{title}", text(words.title()))
            .replace("{source}", text(words.source()))
            .replace("{paper}", section("The paper", elements("p", words.under("paper"))))
            .replace("{ours}", section("Ours", elements("p", ours)))
            .replace("{claims}", section("Side by side", claimed))
            .replace(
                "{tables}",
                tablesAndGoals().stream().map(each -> section("", html(each))).collect(joining()))
            .replace(
                "{differs}",
                section("What differs from the paper", elements("p", words.under("differs"))))
            .replace("{pictures}", pictures);
    return Files.writeString(folder.resolve(FILE), html);
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
    String end = tag.equals("td") || tag.equals("th") ? "" : "\n";
    return "<%s>%s</%s>%s".formatted(tag, html, tag, end);
  }

  /** Keeps its names apart from those of the other pictures. */
  private static String asPart(String svg, String prefix) {
    return svg.replace(" id=\"", " id=\"" + prefix)
        .replace("url(#", "url(#" + prefix)
        .replace("href=\"#", "href=\"#" + prefix);
  }

  private static String text(String plain) {
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
