package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.simulator.Subject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class MutantsTest {
  private static final List<String> DIFF =
      List.of(
          "Counts one too many.",
          "Seed 17",
          "",
          "--- Count.java",
          " int count() {",
          "-  return n;",
          "+  return n + 1;",
          " }");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** All of them take minutes: they are run by command. */
  @Test
  void aMutantIsKilled() {
    assertThat(run("simulate", "--mutants", "overtake-each")).as("%s", out).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("overtake-each[a-z-]* killed by seed [0-9]+ in ")
        .doesNotContain("SURVIVED");
  }

  @Test
  void aMutantThatNoSeedKillsIsNamed() {
    assertThat(run("simulate", "--mutants", "settles-without-one", "--seeds", "1"))
        .isEqualTo(ExitCode.NO);
    assertThat(out.toString())
        .contains(" settles-without-one SURVIVED 1 seeds in ")
        .contains(" of 2 mutants were killed");
  }

  /** A seed that is found tomorrow is found too late: it says after how much work it gave up. */
  @Test
  void aMutantThatIsNotKilledInTimeSurvives() throws IOException, InterruptedException {
    Mutant mutant = Mutant.named("acks-counted-as-one", Mutant.checkout()).getFirst();
    MutantTrial trial = new MutantTrial(mutant, Mutant.checkout(), 1_000, Duration.ofMillis(1));
    MutantTrial.Verdict verdict = trial.run();
    assertThat(verdict.killed()).isFalse();
    assertThat(verdict.line()).contains(" acks-counted-as-one SURVIVED 0.0 s of work: ");
  }

  /** Worlds change, and with them what a seed finds. */
  @Test
  void whereTheSeedThatHasKilledItBeforeDoesSoNoMoreOthersAreTried()
      throws IOException, InterruptedException {
    assertThat(killed("acks-counted-as-one", 1)).contains(" killed by seed 2 in ");
  }

  private static String killed(String name, long seed) throws IOException, InterruptedException {
    Mutant found = Mutant.named(name, Mutant.checkout()).getFirst();
    Mutant mutant =
        new Mutant(
            found.name(),
            found.sentence(),
            found.subject(),
            found.scenario(),
            seed,
            found.file(),
            found.right(),
            found.wrong());
    return new MutantTrial(mutant, Mutant.checkout(), 100, MutantTrial.WORK_MAX).run().line();
  }

  @Test
  void aNameThatNoMutantHasIsRefused() {
    assertThat(run("simulate", "--mutants", "teenage")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("no mutant has a name with teenage");
  }

  @Test
  void aMutantReplacesLinesThatStandInTheirFileOnce() throws IOException {
    Mutant mutant = Mutant.parse("counts", Subject.SERVICE, DIFF);
    assertThat(mutant.sentence()).isEqualTo("Counts one too many.");
    assertThat(mutant.seed()).isEqualTo(17);
    assertThat(mutant.file()).isEqualTo(Path.of("Count.java"));
    assertThat(mutant.in("x\nint count() {\n  return n;\n}\n"))
        .isEqualTo("x\nint count() {\n  return n + 1;\n}\n");

    String twice = "int count() {\n  return n;\n}\n".repeat(2);
    assertThatThrownBy(() -> mutant.in(twice)).hasMessageContaining("not exactly once");
    assertThatThrownBy(() -> mutant.in("int count() {\n  return m;\n}\n"))
        .hasMessageContaining("mutant counts replaces lines that are not exactly once");
  }

  /** Else the command that runs them all ends with an error. */
  @Test
  void eachFitsTheFileOfToday() throws IOException {
    for (Mutant mutant : Mutant.named("", Mutant.checkout())) {
      Path file = Mutant.checkout().resolve(mutant.file());
      assertThat(mutant.in(Files.readString(file)))
          .as(mutant.name())
          .isNotEqualTo(Files.readString(file));
    }
  }

  @Test
  void aMutantWithoutLinesIsRefused() {
    assertThatThrownBy(() -> Mutant.parse("none", Subject.SERVICE, List.of("Does nothing.")))
        .hasMessageContaining("mutant none lacks");
  }

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
