package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CompletionCommandTest {
  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void theShellReadsTheScriptWithoutComplaint(String shell, @TempDir Path folder)
      throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("script"), script(shell));
    Path output = folder.resolve("output");
    Process process;
    try {
      process =
          new ProcessBuilder(shell, "-n", file.toString())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
    } catch (IOException missing) {
      assumeTrue(false, shell + " is not installed: its script is not tried");
      return;
    }

    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
  }

  @Test
  void namesCommandsBelowCommandsAndTheirOptions() {
    assertThat(script("bash")).contains("status", "--json", "validate");
    assertThat(script("fish").lines())
        .contains(
            "complete -c tempest -n '__fish_seen_subcommand_from status' -l json"
                + " -d 'Print JSON in place of the table'")
        .anyMatch(line -> line.contains("from config; and not") && line.contains("-a validate"));
  }

  private static String script(String shell) {
    StringWriter out = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    assertThat(line.execute("completion", shell)).isZero();
    return out.toString();
  }
}
