package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeSettings;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README shows compiles, parses, and is short. */
final class ReadmeTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Pattern IMPORT = Pattern.compile("^import .*\n", Pattern.MULTILINE);
  private static final int LINES_MAX = 150;
  private static final int FIRST_CODE_LINE_MAX = 20;

  private final List<String> lines = Files.readAllLines(README);

  ReadmeTest() throws IOException {}

  @Test
  void isShortAndShowsCodeSoon() {
    assertThat(lines).hasSizeLessThanOrEqualTo(LINES_MAX);
    assertThat(lines.indexOf("```java")).isBetween(0, FIRST_CODE_LINE_MAX - 1);
  }

  @Test
  void itsJavaCompiles(@TempDir Path classes) {
    assertCompiles(blocks("java"), classes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference/collections.md", "how-to/composite-requests.md"})
  void theJavaOfAPageCompiles(String page, @TempDir Path classes) throws IOException {
    assertCompiles(blocks("java", Files.readString(Path.of("..", "docs", page))), classes);
  }

  /** Blocks that declare what is public become members, others the bodies of methods. */
  private static void assertCompiles(List<String> blocks, Path classes) {
    assertThat(blocks).isNotEmpty();
    StringBuilder imports = new StringBuilder();
    StringBuilder members = new StringBuilder();
    for (String shown : blocks) {
      IMPORT.matcher(shown).results().forEach(line -> imports.append(line.group()));
      String block = IMPORT.matcher(shown).replaceAll("").stripLeading();
      boolean declares = block.startsWith("public ");
      members.append(
          declares ? block : "static void block%d() {%n%s}%n".formatted(members.length(), block));
    }
    String source =
        """
        import dev.tempest.*;
        import dev.tempest.service.*;
        import dev.tempest.state.*;
        import java.time.*;
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.stream.*;
        %s
        class Readme {
          record Order(String customer, String item) {}
          record OrderKey(String shop, int number) {}
          static Node node;
          static Map<String, Long> stock;
          static List<Order> orders;
          static Map<String, Integer> flags;
          static Map<String, Integer> carts;
        %s
        }
        """
            .formatted(imports, members);
    var file =
        new SimpleJavaFileObject(URI.create("string:///Readme.java"), Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter messages = new StringWriter();
    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(messages, null, null, List.of("-d", classes.toString()), null, List.of(file))
            .call();
    assertThat(compiled).as("%s", messages).isTrue();
  }

  @Test
  void itsConfigurationWorks(@TempDir Path folder) throws IOException {
    List<String> blocks = blocks("yaml");
    assertThat(blocks).hasSize(1);
    Path file = Files.writeString(folder.resolve("shop.yaml"), blocks.getFirst());
    assertThat(NodeSettings.read(file).config().services())
        .singleElement()
        .matches(service -> service.name().equals("cart"));
  }

  @Test
  void itsCommandsExist() {
    List<String> commands =
        blocks("sh").stream()
            .flatMap(String::lines)
            .map(line -> line.replaceFirst("#.*", "").strip())
            .toList();
    assertThat(commands).hasSizeGreaterThan(8).allMatch(line -> line.startsWith("./tempest "));
    for (String command : commands) {
      if (command.startsWith("./tempest bench ") || command.equals("./tempest test")) {
        continue; // Those of other modules.
      }
      String[] words = command.substring("./tempest ".length()).split(" +");
      assertThat(Main.commandLine().parseArgs(words).subcommand()).as(command).isNotNull();
    }
  }

  private List<String> blocks(String language) {
    return blocks(language, String.join("\n", lines));
  }

  private static List<String> blocks(String language, String text) {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(text)
        .results()
        .map((MatchResult block) -> block.group(1))
        .toList();
  }
}
