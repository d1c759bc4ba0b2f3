package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo",
        "collections",
        "join",
        "cart",
        "consensus",
        "paxos",
        "ballots",
        "failover",
        "primary-backup",
        "callers",
        "servlet",
        "overload",
        "services",
        "composite",
        "adaptive",
        "gossip",
        "fast-paxos"
      })
  void eachBenchmarkHasHelpWithExamples(String benchmark) {
    assertThat(run("bench", benchmark, "--help")).isZero();
    assertThat(out.toString())
        .contains("Usage: tempest bench " + benchmark, "--out", "tempest bench " + benchmark);
    assertThat(run("bench", "--help")).isZero();
    assertThat(out.toString()).contains(benchmark);
  }

  @Test
  void asksWhichBenchmark() {
    assertThat(run("bench")).isEqualTo(64);
    assertThat(err.toString()).contains("which benchmark", "cart", "services");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "services --replicas 0",
        "services --servers 17",
        "collections --part nothing",
        "join --heap 1",
        "composite --virtual-seconds 0",
        "adaptive --seconds -1",
        "cart --clients 0",
        "callers --busy -1",
        "servlet --writes 0",
        "consensus --part nothing",
        "paxos --place nowhere",
        "ballots --clients 0",
        "failover --clients 0",
        "primary-backup --sizes 0",
        "gossip --interval 1",
        "fast-paxos --wide nowhere.txt",
        "echo --rounds 0"
      })
  void whatABenchmarkRefusesIsWrongUsage(String arguments) {
    assertThat(run(("bench " + arguments).split(" ", -1))).isEqualTo(64);
    assertThat(err.toString()).contains("tempest bench " + arguments.split(" ", -1)[0]);
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"ballots, '--place=PLACE,...'", "ballots, '--clients=N,...'", "echo, --rounds=N"})
  void theHelpShowsWhichOptionsTakeLists(String benchmark, String option) {
    assertThat(run("bench", benchmark, "--help")).isZero();
    assertThat(out.toString()).contains(option);
  }

  @Test
  void saysWhereAFileHasNoMilliseconds() throws IOException {
    Path file = folder.resolve("wide");
    Files.write(file, new byte[] {'#', (byte) 0xFF, '\n', '7', '\n', 'a', '\n'});
    assertThat(run("bench", "fast-paxos", "--wide", file.toString())).isEqualTo(64);
    assertThat(err.toString())
        .contains("--wide", file + " line 3: 'a' is not a number of milliseconds");
  }

  @Test
  void saysWhereAndWhyResultsCannotGo() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "no folder");
    assertThat(run("bench", "services", "--simulated", "--out", file.toString())).isEqualTo(69);
    assertThat(err.toString()).contains("it is a file (" + file + ")", "--out");
  }

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
