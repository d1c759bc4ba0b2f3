package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

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

final class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(
      strings = {"demo", "server", "call", "status", "simulate", "explain", "config", "completion"})
  void everyCommandHasHelpThatFitsATerminal(String command) {
    assertThat(run(command, "--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("Usage: tempest " + command)
        .contains("tempest " + command + " ")
        .satisfies(
            help -> assertThat(help.lines()).allMatch(line -> line.length() <= 80, "80 columns"));
    assertThat(out.toString()).contains("Exit codes:").contains("Example");
  }

  @Test
  void helpListsAllCommands() {
    assertThat(run("--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            "demo", "server", "call", "status", "simulate", "explain", "config", "completion");
  }

  @Test
  void saysItsVersion() {
    assertThat(run("--version")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith("tempest ").contains("Java " + Runtime.version());
  }

  @Test
  void aWrongCommandOrOptionIsAUsageError() {
    assertThat(run("stauts")).isEqualTo(ExitCode.USAGE);
    assertThat(run("status", "--sevrers", "a:1")).isEqualTo(ExitCode.USAGE);
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(run("call", "cart")).isEqualTo(ExitCode.USAGE);
    assertThat(run("call", "--foo=1")).isEqualTo(ExitCode.USAGE);
    assertThat(run("completion", "tcsh")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines())
        .contains(
            "tempest: Unmatched argument at index 0: 'stauts'. See tempest --help",
            "tempest: which command? See tempest --help",
            "tempest: Missing required parameter: 'METHOD'. See tempest call --help",
            "tempest: Unknown option: '--foo=1'. See tempest call --help",
            "tempest: Invalid value for positional parameter at index 0 (SHELL): expected bash, zsh"
                + " or fish, but was 'tcsh'. See tempest completion --help");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aServerIsHostAndPort() {
    assertThat(run("status", "--servers", "127.0.0.1")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().strip())
        .isEqualTo(
            "tempest: '127.0.0.1' is not host:port (option --servers). Write host:port, such as"
                + " 127.0.0.1:7400");
  }

  @Test
  void anUnknownHostIsNoBug() {
    String server = "nohost.invalid:7400";
    assertThat(run("status", "--servers", server)).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(run("call", "--servers", server, "cart", "check")).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("tempest: unknown host in '" + server + "'"));
  }

  @Test
  void aWrongConfigurationSaysWhatWhereAndWhatToDo(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("server.yaml"), "clutser: shop\n");

    assertThat(run("server", "--config", file.toString())).isEqualTo(ExitCode.CONFIG);
    assertThat(err.toString())
        .startsWith("tempest: " + file + " line 1: unknown key 'clutser'. Did you mean 'cluster'?")
        .doesNotContain("at dev.tempest");
  }

  @Test
  void theDemoRefusesMoreLinesThanThereAre() {
    assertThat(run("demo", "--lines", "28001")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Choose 1 to 28000 lines");
  }

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
