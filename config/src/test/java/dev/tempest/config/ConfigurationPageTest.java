package dev.tempest.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/reference/configuration.md shows is what is read. */
final class ConfigurationPageTest {
  private static final Path DOCS = Path.of("..", "docs", "reference");

  private final String page = Files.readString(DOCS.resolve("configuration.md"));

  ConfigurationPageTest() throws IOException {}

  @Test
  void itsExampleIsRead() {
    List<String> examples = found("^```yaml\n(.*?)^```$");
    assertThat(examples).hasSize(2); // The second one is a server's, and read in its tests.

    NodeSettings settings =
        new NodeReader(Map.of()).read(new ConfigFile("example", examples.getFirst()));
    assertThat(settings.config().collections()).hasSize(4);
    assertThat(settings.config().collection("carts").maxSize()).isZero();
    assertThat(new SchemaCheck(NodeSettings.schema()).accepts(examples.getFirst())).isTrue();
    assertThat(examples.getFirst()).startsWith("# yaml-language-server: $schema=");
  }

  @Test
  void itsTablesHaveEveryKeyWithItsDefault() {
    List<String> rows = Key.ofNode().stream().map(ConfigurationPageTest::row).toList();
    List<String> rowsOfCollections =
        Key.ofCollection().stream()
            .map(key ->
                "| `%s` | `%s` | %s |".formatted(key.word(), key.defaultText(), key.description()))
            .toList();

    assertThat(page)
        .contains("| --- |\n" + String.join("\n", rows) + "\n\n")
        .contains("| --- |\n" + String.join("\n", rowsOfCollections) + "\n\n");
  }

  private static String row(Key key) {
    String variable = key.hasVariable() ? "`" + key.variable() + "`" : "";
    return "| `%s` | %s | `%s` | %s |"
        .formatted(key.word(), variable, key.defaultText(), key.description());
  }

  private List<String> found(String pattern) {
    return Pattern.compile(pattern, Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(page)
        .results()
        .map(result -> result.group(1))
        .toList();
  }
}
