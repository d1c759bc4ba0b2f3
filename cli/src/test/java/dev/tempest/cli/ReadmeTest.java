package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.file.NodeSettings;
import dev.tempest.examples.cart.ShoppingCartService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README and the pages of the documentation show compiles, parses, and runs. */
final class ReadmeTest {
  private static final String README = "README.md";
  private static final String TUTORIAL = "docs/tutorial.md";
  private static final Path SPRING = Path.of("docs/how-to/spring-boot.md");
  private static final int LINES_MAX = 150;
  private static final int FIRST_CODE_LINE_MAX = 20;

  @Test
  void isShortAndShowsCodeSoon() {
    List<String> lines = DocPage.of(README).text().lines().toList();

    assertThat(lines).hasSizeLessThanOrEqualTo(LINES_MAX);
    assertThat(lines.indexOf("```java")).isBetween(0, FIRST_CODE_LINE_MAX - 1);
  }

  @ParameterizedTest
  @MethodSource
  void javaCompiles(Path page, @TempDir Path classes) {
    DocPage.of(page.toString()).compile(classes);
  }

  /** README and every page of the documentation with a block of Java. */
  static List<Path> javaCompiles() {
    List<Path> pages =
        DocsTest.files(".md")
            .map(DocsTest.ROOT::relativize)
            .filter(page -> page.startsWith("docs") || page.equals(Path.of(README)))
            .filter(
                page -> !page.equals(SPRING)) // The starter's tests have Spring, and compile it.
            .filter(page -> !DocPage.of(page.toString()).blocks("java").isEmpty())
            .toList();
    assertThat(pages).hasSizeGreaterThan(5);
    return pages;
  }

  @Test
  void itsServiceIsTheExample() {
    String example = "examples/src/main/java/dev/tempest/examples/cart/";
    String service = DocPage.of(example + "ShoppingCart.java").text();
    assertThat(DocPage.of(README).text())
        .contains(example + "ShoppingCartService.java")
        .contains(
            "state.map(\"" + ShoppingCartService.CARTS + "\", CartLine.class, Integer.class)");
    assertThat(DocPage.of(README).blocks("java"))
        .anySatisfy(block ->
            assertThat(block.lines().filter(line -> line.endsWith(");") && line.contains(" @")))
                .hasSize(2)
                .allSatisfy(
                    line -> assertThat(service).contains(line.replaceFirst("^ +@\\w+ ", ""))));
  }

  @Test
  void itsFirstBlockRuns(@TempDir Path classes) throws Exception {
    DocPage.of(README).compile(classes);

    assertThat(DocPage.start("Page", classes, "readme-" + classes.getFileName()).waitFor())
        .isZero();
  }

  @Test
  void servesTheCart(@TempDir Path folder) throws IOException {
    assertThat(DocPage.of(README).blocks("yaml"))
        .hasSize(1)
        .first()
        .satisfies(block -> {
          Path file = Files.writeString(folder.resolve("tempest.yaml"), block);
          assertThat(NodeSettings.read(file).config().services())
              .singleElement()
              .matches(service -> service.name().equals("cart"));
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"docs/how-to/docker.md", "docs/how-to/http.md", "docs/how-to/shutdown.md"})
  void configurationIsValid(String page, @TempDir Path folder) throws IOException {
    for (String block : DocPage.of(page).blocks("yaml")) {
      Path file = Files.writeString(folder.resolve("tempest.yaml"), block);
      assertThat(NodeSettings.read(file).config()).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        README,
        TUTORIAL,
        "docs/how-to/observability.md",
        "docs/explanation/simulator.md",
        "docs/reference/configuration.md"
      })
  void commandsExist(String page) {
    List<String> commands =
        DocPage.of(page).blocks("sh").stream()
            .flatMap(String::lines)
            .map(line -> line.replaceFirst("#.*", "").strip())
            .map(line -> line.replaceFirst("^TEMPEST_\\w+=\\S+ ", ""))
            .filter(line -> !line.startsWith("mvn ") && !line.startsWith("curl "))
            .toList();
    assertThat(commands).isNotEmpty().allMatch(line -> line.startsWith("./tempest "));
    for (String command : commands) {
      if (command.startsWith("./tempest bench ") || command.equals("./tempest test")) {
        continue; // Those of other modules.
      }
      String[] words = command.substring("./tempest ".length()).split(" +");
      assertThat(Main.commandLine().parseArgs(words).subcommand()).as(command).isNotNull();
    }
  }
}
