package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link of the documentation leads somewhere, and every page is found from the index. */
final class DocsTest {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCS = ROOT.resolve("docs");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern NAMED = Pattern.compile("docs/[\\w./-]+\\.(?:md|json|svg)");
  private static final Pattern FENCE =
      Pattern.compile("^```.*?^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

  @Test
  void everyLinkLeadsSomewhere() {
    List<Path> pages = files(".md").toList();
    assertThat(pages).hasSizeGreaterThan(20);

    assertThat(pages.stream().flatMap(DocsTest::deadLinks)).isEmpty();
  }

  @Test
  void everyPageThatTheSourcesNameIsThere() {
    assertThat(
            Stream.of(".java", ".md", ".txt", ".xml")
                .flatMap(DocsTest::files)
                .flatMap(file ->
                    matches(NAMED, read(file))
                        .map(MatchResult::group)
                        .filter(page -> !Files.exists(ROOT.resolve(page)))
                        .map(page -> ROOT.relativize(file) + ": " + page)))
        .isEmpty();
  }

  @Test
  void theIndexHasEveryPage() {
    List<Path> linked =
        links(read(DOCS.resolve("README.md"))).map(link -> DOCS.resolve(link).normalize()).toList();

    assertThat(
            files(".md")
                .filter(page -> page.startsWith(DOCS))
                .filter(page -> !page.startsWith(DOCS.resolve("adr")))
                .filter(page -> !page.endsWith("README.md")))
        .isNotEmpty()
        .allMatch(linked::contains);
  }

  private static Stream<String> deadLinks(Path page) {
    return links(read(page))
        .filter(link -> !link.contains("://"))
        .filter(link -> !leadsSomewhere(page, link))
        .map(link -> ROOT.relativize(page) + ": " + link);
  }

  private static boolean leadsSomewhere(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
  }

  /** As GitHub makes them of headings. */
  private static List<String> anchors(Path page) {
    return matches(HEADING, withoutCode(read(page)))
        .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
        .toList();
  }

  private static Stream<String> links(String text) {
    return matches(LINK, withoutCode(text)).map(link -> link.group(1));
  }

  private static String withoutCode(String text) {
    return FENCE.matcher(text).replaceAll("");
  }

  private static Stream<MatchResult> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }

  /** The project's own files with such an ending, without what the build makes. */
  static Stream<Path> files(String ending) {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all
          .filter(file -> file.toString().endsWith(ending))
          .filter(
              file -> Stream.of("target", "vendor", ".git").noneMatch(name -> hasPart(file, name)))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasPart(Path file, String name) {
    for (Path part : ROOT.relativize(file)) {
      if (part.toString().equals(name)) {
        return true;
      }
    }
    return false;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
