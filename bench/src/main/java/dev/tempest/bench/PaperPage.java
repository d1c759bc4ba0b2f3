package dev.tempest.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A page that shows an experiment, beside that of a paper where there is one: what was run there
 * and here, what was found, in shapes and ratios. Times of another age's machines are not compared.
 *
 * <p>One file that needs no other and no network. What is handed in is plain text, except pictures.
 * Not thread-safe.
 */
final class PaperPage {
  static final String FILE = "index.html";

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

  private record Claim(String what, String paper, String ours) {}

  private record Picture(String svg, String caption) {}

  private record Table(String caption, List<String> head, List<List<String>> rows) {}

  private final String id;
  private final String title;
  private final String source;
  private final List<String> paper = new ArrayList<>();
  private final List<String> ours = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();
  private final List<Picture> pictures = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();

  /**
   * A page with nothing on it yet.
   *
   * @param id of the experiment, such as {@code T6}
   * @param source where it is described, such as {@code Tempest (DSN 2008), section 4.3, Fig. 6}
   */
  PaperPage(String id, String title, String source) {
    this.id = id;
    this.title = title;
    this.source = source;
  }

  /** Says something of what the paper ran, or what its figure shows: a paragraph. */
  PaperPage paper(String paragraph) {
    paper.add(paragraph);
    return this;
  }

  /** Says something of what we ran: a paragraph. */
  PaperPage ours(String paragraph) {
    ours.add(paragraph);
    return this;
  }

  /** Says on which machine ours was measured, and how busy it was with other things. */
  PaperPage measuredHere() {
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

  /**
   * Compares one thing: a shape or a ratio.
   *
   * @param what such as {@code mean with 8 replicas / mean with 1}
   * @param found there
   * @param foundHere here
   */
  PaperPage compare(String what, String found, String foundHere) {
    claims.add(new Claim(what, found, foundHere));
    return this;
  }

  /**
   * Shows a picture of ours.
   *
   * @param svg the file that it is in
   * @throws IOException if it cannot be read
   */
  PaperPage picture(Path svg, String caption) throws IOException {
    String drawing = Files.readString(svg);
    int start = drawing.indexOf("<svg");
    if (start < 0) {
      throw new IOException(svg + " is no SVG");
    }
    pictures.add(new Picture(asPart(drawing.substring(start), pictures.size()), caption));
    return this;
  }

  /** Shows a table of ours; the first column names what the others are of. */
  PaperPage table(String caption, List<String> head, List<List<String>> rows) {
    tables.add(new Table(caption, List.copyOf(head), List.copyOf(rows)));
    return this;
  }

  /** Says what is not as in the paper, and why. */
  PaperPage differs(String sentence) {
    differences.add(sentence);
    return this;
  }

  /**
   * Writes the page, {@link #FILE}, into a folder.
   *
   * @throws IOException if it cannot be written
   */
  void write(Path folder) throws IOException {
    Files.writeString(folder.resolve(FILE), html());
  }

  private String html() {
    StringBuilder html =
        new StringBuilder(HEAD.replace("{id}", text(id)).replace("{title}", text(title)));
    html.append("<p class=\"soft\">").append(text(source)).append("</p>\n<div class=\"sides\">\n");
    if (!paper.isEmpty()) {
      side(html, "The paper", paper);
    }
    side(html, "Ours", ours);
    html.append("</div>\n");
    if (!claims.isEmpty()) {
      List<List<String>> rows =
          claims.stream().map(claim -> List.of(claim.what, claim.paper, claim.ours)).toList();
      html.append("<section class=\"claims\"><h2>Side by side</h2>\n");
      table(html, new Table("", List.of("", "paper", "ours"), rows));
      html.append("</section>\n");
    }
    html.append("<div class=\"pictures\">\n");
    for (Picture picture : pictures) {
      html.append("<section><figure><div class=\"drawing\">").append(picture.svg);
      html.append("</div><figcaption>").append(text(picture.caption));
      html.append("</figcaption></figure></section>\n");
    }
    html.append("</div>\n");
    for (Table table : tables) {
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
    if (!table.caption.isEmpty()) {
      html.append("<caption>").append(text(table.caption)).append("</caption>");
    }
    html.append("\n<thead>");
    row(html, "th", table.head);
    html.append("</thead>\n<tbody>\n");
    table.rows.forEach(cells -> row(html, "td", cells));
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
