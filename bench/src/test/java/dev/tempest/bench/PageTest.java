package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.bench.Table.Column;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  @TempDir Path folder;

  private final Page page =
      new Page(
          new Words(
              "T0",
              "Ours & theirs",
              "somewhere, Fig. 1",
              Map.of(
                  "paper", List.of("They ran <b>this</b>."),
                  "differs", List.of("Our machine is another one."))));

  @Test
  void whatWasSaidIsThere() throws IOException {
    page.ours("We ran that.");
    page.compare("a ratio", "2.0", "2.5");
    page.atMost(2, "a goal", Spread.of(3));
    Points points = new Points(List.of(Point.of("replicas", 3, "ms", 12)));
    page.table("all", points, "replicas", Column.medians("ms"));
    assertThat(written())
        .contains("T0", "Ours &amp; theirs", "Fig. 1", "They ran", "We ran that.")
        .contains("<td>a ratio</td><td>2.0</td><td>2.5</td>", "<td>3</td><td>12</td>")
        .contains("<td>3 [3 .. 3]</td><td>at most 2</td><td>NOT reached</td>")
        .contains("Our machine is another one.");
  }

  @Test
  void theTerminalShowsPaperAndOursLast() {
    page.compare("a ratio", "2.0", "2.5");
    page.shown("a number", Spread.of(3));
    assertThat(printed().lines().filter(line -> !line.isEmpty()))
        .endsWith("Side by side", "         paper  ours", "a ratio    2.0   2.5");
  }

  @Test
  void aColumnInWhichNothingStandsIsLeftOut() throws IOException {
    page.shown("a number", Spread.of(3));
    Points points = new Points(List.of(Point.of("replicas", 3, "ms", 12)));
    page.table("all", points, "replicas", Column.medians("us", "ms"));
    assertThat(printed()).doesNotContain("to be", "us");
    assertThat(written()).doesNotContain("to be", "<th>us</th>").contains("<th>ms</th>");
  }

  @Test
  void whatLooksLikeMarkupIsText() throws IOException {
    page.compare("<i>", "<i>", "<i>");
    assertThat(written()).doesNotContain("<b>", "<i>").contains("&lt;b&gt;this&lt;/b&gt;");
  }

  @Test
  void needsNothingFromElsewhere() throws IOException {
    page.chart(chart("one"), "one");
    assertThat(written()).contains("src=\"data:image/svg+xml;base64,").doesNotContain("http");
    assertThat(folder.resolve("one.svg")).isNotEmptyFile();
  }

  @Test
  void aGoalIsReachedByTheMedianWhateverTheWorst() {
    page.atMost(2, "a", new Spread(2, 1, 100));
    page.atMost(2, "a", new Spread(2.01, 1, 100));
    page.atLeast(2, "a", new Spread(2, 1, 100));
    page.atLeast(2, "a", new Spread(1.99, 1, 100));
    page.atMost(2, "a", Spread.of(Double.NaN));
    assertThat(page.goals())
        .extracting(goal -> goal.text("reached"))
        .containsExactly("true", "false", "true", "false", "false");
    assertThat(page.goals().getFirst().toJson())
        .isEqualTo(
            "{\"goal\":\"a\",\"median\":2.0,\"lowest\":1.0,\"highest\":100.0,"
                + "\"sense\":\"at most\",\"bound\":2.0,\"reached\":true}");
  }

  private static Chart chart(String name) {
    return new Chart(Chart.Kind.LINES, name, name, "x", "y")
        .add(name, new TreeMap<>(Map.of(1, 1.0, 2, 2.0)));
  }

  private String printed() {
    StringWriter printed = new StringWriter();
    page.print(new PrintWriter(printed, true));
    return printed.toString();
  }

  private String written() throws IOException {
    return Files.readString(page.write(folder));
  }
}
