package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaperPageTest {
  @TempDir Path folder;

  private final PaperPage page = new PaperPage("T0", "Ours & theirs", "somewhere, Fig. 1");

  @Test
  void whatWasSaidIsThere() throws IOException {
    page.paper("They ran this.")
        .ours("We ran that.")
        .compare("a ratio", "2.0", "2.5")
        .table("all numbers", List.of("replicas", "ms"), List.of(List.of("3", "12")))
        .differs("Our machine is another one.");
    assertThat(written())
        .contains("T0", "Ours &amp; theirs", "Fig. 1", "They ran this.", "We ran that.")
        .contains("<td>a ratio</td><td>2.0</td><td>2.5</td>", "<td>3</td><td>12</td>")
        .contains("Our machine is another one.");
  }

  @Test
  void whatLooksLikeMarkupIsText() throws IOException {
    page.paper("<b>x</b>").compare("<i>", "<i>", "<i>");
    assertThat(written()).doesNotContain("<b>", "<i>").contains("&lt;b&gt;x&lt;/b&gt;");
  }

  @Test
  void needsNothingFromElsewhere() throws IOException {
    page.picture(chart("one"), "one");
    String withoutNamespaces = written().replaceAll("xmlns(:\\w+)?=\"[^\"]*\"", "");
    assertThat(withoutNamespaces).contains("<svg").doesNotContain("src=", "http", "<?xml");
  }

  @Test
  void picturesDoNotShareNames() throws IOException {
    Path chart = chart("one");
    page.picture(chart, "one").picture(chart, "the same again");
    Matcher ids = Pattern.compile(" id=\"([^\"]*)\"").matcher(written());
    List<String> all = ids.results().map(found -> found.group(1)).toList();
    assertThat(all).isNotEmpty().doesNotHaveDuplicates();
    assertThat(all).allMatch(id -> read().contains("url(#" + id + ")"));
  }

  @Test
  void refusesWhatIsNoPicture() throws IOException {
    Path text = Files.writeString(folder.resolve("text.svg"), "no picture");
    assertThatThrownBy(() -> page.picture(text, ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("text.svg");
  }

  private Path chart(String name) throws IOException {
    Path file = folder.resolve(name + ".svg");
    var points = new TreeMap<>(Map.of(1, 1.0, 2, 2.0));
    Charts.lines(file, name, "x", "y", Map.of(name, points));
    return file;
  }

  private String written() throws IOException {
    page.write(folder);
    return read();
  }

  private String read() {
    try {
      return Files.readString(folder.resolve(PaperPage.FILE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
