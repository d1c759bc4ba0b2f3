package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the tutorial do what the tutorial says. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TutorialTest {
  private static final DocPage TUTORIAL = DocPage.of("docs/tutorial.md");

  private final List<Process> terminals = new ArrayList<>();

  @AfterEach
  void killAll() {
    terminals.forEach(Process::destroyForcibly);
  }

  @Test
  void itsPomHasWhatTheReadmeSays() {
    List<String> pom = lines(TUTORIAL.blocks("xml").getFirst());
    assertThat(pom)
        .containsSequence(lines(DocPage.of("README.md").blocks("xml").getFirst()))
        .contains("<maven.compiler.source>21</maven.compiler.source>");
    assertThat(lines(DocPage.of("pom.xml").text()))
        .containsSubsequence("<groupId>dev.tempest</groupId>", "<version>0.1.0-SNAPSHOT</version>");
  }

  private static List<String> lines(String block) {
    return block.lines().map(String::strip).toList();
  }

  @Test
  void cartsSurviveAKilledProcess(@TempDir Path classes) throws IOException, InterruptedException {
    DocPage.compile("Shop", TUTORIAL.blocks("java").getFirst(), classes);

    Process first = open("Shop", classes);
    assertThat(output(first)).isEqualTo("Carts so far: {}");
    Process second = open("Shop", classes);
    BufferedReader secondOut = second.inputReader();
    assertThat(secondOut.readLine()).isEqualTo("Carts so far: {}");

    type(first, "alice 3");
    assertThat(secondOut.readLine()).isEqualTo("Now: Cart[customer=alice, items=3]");
    first.destroyForcibly().waitFor();
    type(second, "bob 5");
    assertThat(secondOut.readLine()).isEqualTo("Now: Cart[customer=bob, items=5]");

    assertThat(output(open("Shop", classes)))
        .startsWith("Carts so far: {")
        .contains("alice=Cart[customer=alice, items=3]", "bob=Cart[customer=bob, items=5]");
  }

  @Test
  void aHostedServiceKeepsItsRule(@TempDir Path classes) throws IOException {
    DocPage.compile("Bank", TUTORIAL.blocks("java").getLast(), classes);

    Process first = open("Bank", classes);
    type(first, "alice bob 70");
    assertThat(output(first)).isEqualTo("true");

    Process second = open("Bank", classes);
    type(second, "alice bob 70");
    assertThat(output(second)).isEqualTo("false");
  }

  private Process open(String program, Path classes) throws IOException {
    Process process = DocPage.start(program, classes, "tutorial-" + classes.getFileName());
    terminals.add(process);
    return process;
  }

  private static String output(Process process) throws IOException {
    return process.inputReader().readLine();
  }

  private static void type(Process process, String line) throws IOException {
    process.outputWriter().write(line + "\n");
    process.outputWriter().flush();
  }
}
