package dev.tempest.bench;

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

/**
 * A page that shows an experiment, beside that of a paper where there is one: what was run there
 * and here, what was found, in shapes and ratios. Times of another age's machines are not compared.
 *
 * <p>One file that needs no other and no network. What is handed in is plain text. Not thread-safe.
 */
public final class Page {
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
  public void ours(String paragraph) {
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
  public void compare(String what, String found, String foundHere) {
    claims.add(List.of(what, found, foundHere));
  }

  /** Shows a number, and what it is to be. */
  public void goal(Goal goal) {
    goals.add(goal);
  }

  /** Shows a number that is to be at most so much. */
  public void atMost(double bound, String what, Spread measured) {
    goal(Goal.atMost(bound, what, measured));
  }

  /** Shows a number that is to be at least so much. */
  public void atLeast(double bound, String what, Spread measured) {
    goal(Goal.atLeast(bound, what, measured));
  }

  /** Shows a number. */
  public void shown(String what, Spread measured) {
    goal(Goal.shown(what, measured));
  }

  /** Shows a picture. */
  public void chart(Chart chart, String caption) {
    charts.put(chart, caption);
  }

  /** Shows a {@link Table#of}, unless it has no rows. */
  public void table(String caption, Points points, String labels, List<Column> columns) {
    if (!points.isEmpty()) {
      tables.add(Table.of(caption, points, labels, columns));
    }
  }

  List<Goal> goals() {
    return List.copyOf(goals);
  }

  /** Prints what is measured; the words are on the page. */
  void print(PrintWriter out) {
    out.println(words.title());
    tables.forEach(table -> table.print(out));
    if (!goals.isEmpty()) {
      goalTable().print(out);
    }
  }

  private Table goalTable() {
    return new Table(
        "Ratios of the same rounds, and goals",
        List.of("", "median [lowest .. highest]", "to be", ""),
        goals.stream()
            .map(goal ->
                List.of(goal.what(), goal.measured().toString(), goal.toBe(), goal.outcome()))
            .toList());
  }

  /**
   * Writes the page and its pictures into a folder.
   *
   * @return the page
   */
  Path write(Path folder) throws IOException {
    List<String> drawings = new ArrayList<>();
    for (Chart chart : charts.keySet()) {
      String svg = chart.toSvg();
      Files.writeString(folder.resolve(chart.file()), svg);
      drawings.add(asPart(svg.substring(svg.indexOf("<svg")), drawings.size()));
    }
    return Files.writeString(folder.resolve(FILE), html(drawings));
  }

  private String html(List<String> drawings) {
    String head = Words.read("page.html");
    head = head.replace("{id}", text(words.id())).replace("{title}", text(words.title()));
    StringBuilder html = new StringBuilder(head);
    html.append("<p class=\"soft\">").append(text(words.source()));
    html.append("</p>\n<div class=\"sides\">\n");
    if (!words.under("paper").isEmpty()) {
      side(html, "The paper", words.under("paper"));
    }
    side(html, "Ours", ours);
    html.append("</div>\n");
    if (!claims.isEmpty()) {
      html.append("<section class=\"claims\"><h2>Side by side</h2>\n");
      table(html, new Table("", List.of("", "paper", "ours"), claims));
      html.append("</section>\n");
    }
    html.append("<div class=\"pictures\">\n");
    List<String> captions = List.copyOf(charts.values());
    for (int at = 0; at < drawings.size(); at++) {
      html.append("<section><figure><div class=\"drawing\">").append(drawings.get(at));
      html.append("</div><figcaption>").append(text(captions.get(at)));
      html.append("</figcaption></figure></section>\n");
    }
    html.append("</div>\n");
    List<Table> all = new ArrayList<>(tables);
    if (!goals.isEmpty()) {
      all.add(goalTable());
    }
    for (Table table : all) {
      html.append("<section>");
      table(html, table);
      html.append("</section>\n");
    }
    List<String> differences = words.under("differs");
    if (!differences.isEmpty()) {
      html.append("<section><h2>What differs from the paper</h2><ul>\n");
      differences.forEach(each -> html.append("<li>").append(text(each)).append("</li>\n"));
      html.append("</ul></section>\n");
    }
    return html.append("</main></body>\n</html>\n").toString();
  }

  private static void side(StringBuilder html, String title, List<String> paragraphs) {
    html.append("<section><h2>").append(text(title)).append("</h2>\n");
    paragraphs.forEach(each -> html.append("<p>").append(text(each)).append("</p>\n"));
    html.append("</section>\n");
  }

  private static void table(StringBuilder html, Table table) {
    html.append("<div class=\"scroll\"><table>");
    if (!table.caption().isEmpty()) {
      html.append("<caption>").append(text(table.caption())).append("</caption>");
    }
    html.append("\n<thead>");
    row(html, "th", table.head());
    html.append("</thead>\n<tbody>\n");
    table.rows().forEach(cells -> row(html, "td", cells));
    html.append("</tbody></table></div>\n");
  }

  private static void row(StringBuilder html, String tag, List<String> cells) {
    html.append("<tr>");
    for (String cell : cells) {
      html.append('<').append(tag).append('>').append(text(cell)).append("</").append(tag);
      html.append('>');
    }
    html.append("</tr>\n");
  }

  /** Scales with the page, and keeps its names apart from those of the other pictures. */
  private static String asPart(String svg, int number) {
    String prefix = "picture" + number + "-";
    String named =
        svg.replace(" id=\"", " id=\"" + prefix)
            .replace("url(#", "url(#" + prefix)
            .replace("href=\"#", "href=\"#" + prefix);
    int end = named.indexOf('>');
    String tag = named.substring(0, end);
    if (!tag.contains("viewBox")) {
      tag += " viewBox=\"0 0 %s %s\"".formatted(attribute(tag, "width"), attribute(tag, "height"));
    }
    return tag.replaceAll(" (width|height)=\"[^\"]*\"", "") + named.substring(end);
  }

  private static String attribute(String tag, String name) {
    String before = " " + name + "=\"";
    int from = tag.indexOf(before) + before.length();
    return tag.substring(from, tag.indexOf('"', from)).replace("px", "");
  }

  private static String text(String plain) {
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
