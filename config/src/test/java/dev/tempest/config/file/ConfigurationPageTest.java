package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/reference/configuration.md shows is what is read. */
final class ConfigurationPageTest {
  private static final Path DOCS = Path.of("..", "docs", "reference");

  private final String page = Files.readString(DOCS.resolve("configuration.md"));

  ConfigurationPageTest() throws IOException {}

  @Test
  void itsExampleIsRead() {
    List<String> examples = found("^```yaml\n(.*?)^```$");
    assertThat(examples).hasSize(1);

    NodeSettings settings =
        new NodeReader(Map.of(), Map.of())
            .read(new ConfigFile("example", Path.of(""), examples.getFirst()));
    assertThat(settings.config().collections()).hasSize(4);
    assertThat(settings.config().collection("carts").maxSize()).isZero();
    assertThat(settings.config().services()).hasSize(2);
    assertThat(new SchemaCheck(NodeSettings.schema()).accepts(examples.getFirst())).isTrue();
    assertThat(examples.getFirst()).startsWith("# yaml-language-server: $schema=");
  }

  @Test
  void itsTablesHaveEveryKeyWithItsDefault() {
    List<String> rows = Key.ofNode().stream().map(ConfigurationPageTest::row).toList();

    assertThat(page)
        .contains("| --- |\n" + String.join("\n", rows) + "\n\n")
        .contains(table(Key.ofCollection()))
        .contains(table(Key.ofService()));
  }

  private static String table(List<Key> keys) {
    return keys.stream()
        .map(key ->
            "| `%s` | `%s` | %s |".formatted(key.word(), key.defaultText(), key.description()))
        .collect(Collectors.joining("\n", "| --- |\n", "\n\n"));
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
