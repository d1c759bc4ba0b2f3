package dev.tempest.bench;

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

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>{id}: {title}</title>
      <style>
      :root { color-scheme: light dark; --ink: #1d232b; --soft: #5a6572; --back: #f4f5f7;
        --card: #ffffff; --line: #d9dee4; --mark: #0b6bcb; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #e6e9ed; --soft: #9aa5b1; --back: #14181d; --card: #1d2329; --line: #343c45;
          --mark: #6cb2ff; } }
      * { box-sizing: border-box; }
      body { margin: 0; background: var(--back); color: var(--ink);
        font: 16px/1.5 system-ui, sans-serif; }
      main { max-width: 76rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
      h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; }
      h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
      .id { color: var(--mark); margin-right: .5rem; }
      .soft, figcaption, caption { color: var(--soft); font-size: .92rem; }
      .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: 1.5rem 0; }
      @media (max-width: 48rem) { .sides { grid-template-columns: 1fr; } }
      section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
        padding: 1rem 1.25rem; margin: 0 0 1rem; }
      .sides section { margin: 0; }
      p { margin: 0 0 .6rem; }
      ul { margin: 0; padding-left: 1.2rem; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; }
      caption { text-align: left; padding-bottom: .4rem; }
      th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right;
        font-variant-numeric: tabular-nums; white-space: nowrap; }
      th { font-weight: 600; vertical-align: bottom; }
      th:first-child, td:first-child { text-align: left; padding-left: 0; }
      .claims td, .claims th { text-align: left; white-space: normal; vertical-align: top; width: 33%; }
      figure { margin: 0; }
      .pictures { display: grid; gap: 1rem; margin-bottom: 1rem;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 32rem), 1fr)); }
      .pictures section { margin: 0; }
      .drawing { background: #fff; border-radius: .3rem; }
      .drawing svg { display: block; width: 100%; height: auto; }
      </style>
      </head>
      <body><main>
      <h1><span class="id">{id}</span>{title}</h1>
      """;

  private final String id;
  private final String title;
  private final String source;
  private final List<String> paper = new ArrayList<>();
  private final List<String> ours = new ArrayList<>();
  private final List<List<String>> claims = new ArrayList<>();
  private final List<Goal> goals = new ArrayList<>();
  private final Map<Chart, String> charts = new LinkedHashMap<>();
  private final List<Table> tables = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();

  /**
   * A page with nothing on it yet.
   *
   * @param id of the experiment, such as {@code T6}
   * @param source where it is described, such as {@code Tempest (DSN 2008), section 4.3, Fig. 6}
   */
  public Page(String id, String title, String source) {
    this.id = id;
    this.title = title;
    this.source = source;
  }

  /** Says something of what the paper ran, or what its figure shows: a paragraph. */
  public Page paper(String paragraph) {
    paper.add(paragraph);
    return this;
  }

  /** Says something of what we ran: a paragraph. */
  public Page ours(String paragraph) {
    ours.add(paragraph);
    return this;
  }

  /** Says on which machine ours was measured, and how busy it was with other things. */
  public Page measuredHere() {
    return ours(
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
  public Page compare(String what, String found, String foundHere) {
    claims.add(List.of(what, found, foundHere));
    return this;
  }

  /** Shows a number, and what it is to be. */
  public Page goal(Goal goal) {
    goals.add(goal);
    return this;
  }

  /** Shows a picture. */
  public Page chart(Chart chart, String caption) {
    charts.put(chart, caption);
    return this;
  }

  /** Shows a table. */
  public Page table(Table table) {
    tables.add(table);
    return this;
  }

  /** Says what is not as in the paper, and why. */
  public Page differs(String sentence) {
    differences.add(sentence);
    return this;
  }

  List<Goal> goals() {
    return List.copyOf(goals);
  }

  /** Prints what is measured; the words are on the page. */
  void print(PrintWriter out) {
    out.println(title);
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
    StringBuilder html =
        new StringBuilder(HEAD.replace("{id}", text(id)).replace("{title}", text(title)));
    html.append("<p class=\"soft\">").append(text(source)).append("</p>\n<div class=\"sides\">\n");
    if (!paper.isEmpty()) {
      side(html, "The paper", paper);
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
