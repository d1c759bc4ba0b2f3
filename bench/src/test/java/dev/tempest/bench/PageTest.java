package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  @TempDir Path folder;

  private final Page page = new Page("T0", "Ours & theirs", "somewhere, Fig. 1");

  @Test
  void whatWasSaidIsThere() throws IOException {
    page.paper("They ran this.")
        .ours("We ran that.")
        .compare("a ratio", "2.0", "2.5")
        .goal(Goal.atMost(2, "a goal", Spread.of(3)))
        .table(new Table("all", List.of("replicas", "ms"), List.of(List.of("3", "12"))))
        .differs("Our machine is another one.");
    assertThat(written())
        .contains("T0", "Ours &amp; theirs", "Fig. 1", "They ran this.", "We ran that.")
        .contains("<td>a ratio</td><td>2.0</td><td>2.5</td>", "<td>3</td><td>12</td>")
        .contains("<td>3 [3 .. 3]</td><td>at most 2</td><td>NOT reached</td>")
        .contains("Our machine is another one.");
  }

  @Test
  void whatLooksLikeMarkupIsText() throws IOException {
    page.paper("<b>x</b>").compare("<i>", "<i>", "<i>");
    assertThat(written()).doesNotContain("<b>", "<i>").contains("&lt;b&gt;x&lt;/b&gt;");
  }

  @Test
  void needsNothingFromElsewhere() throws IOException {
    page.chart(chart("one"), "one");
    String withoutNamespaces = written().replaceAll("xmlns(:\\w+)?=\"[^\"]*\"", "");
    assertThat(withoutNamespaces).contains("<svg").doesNotContain("src=", "http", "<?xml");
    assertThat(folder.resolve("one.svg")).isNotEmptyFile();
  }

  @Test
  void picturesDoNotShareNames() throws IOException {
    page.chart(chart("one"), "one").chart(chart("two"), "the same again");
    String html = written();
    Matcher ids = Pattern.compile(" id=\"([^\"]*)\"").matcher(html);
    List<String> all = ids.results().map(found -> found.group(1)).toList();
    assertThat(all).isNotEmpty().doesNotHaveDuplicates();
    assertThat(all).allMatch(id -> html.contains("url(#" + id + ")"));
  }

  private static Chart chart(String name) {
    return new Chart(name + ".svg", Chart.Kind.LINES, name, "x", "y")
        .add(name, new TreeMap<>(Map.of(1, 1.0, 2, 2.0)));
  }

  private String written() throws IOException {
    return Files.readString(page.write(folder));
  }
}
