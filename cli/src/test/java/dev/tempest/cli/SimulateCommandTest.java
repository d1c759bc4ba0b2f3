package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void runsAllSeedsAndSaysWhatWasDone() {
    assertThat(run("simulate", "--seeds", "6", "--from", "100")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("6 seeds from 100 in ")
        .contains("every promise was kept");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COLLECTIONS", "LINEARIZABLE"})
  void runsProcessesThatWriteIntoCollections(String subject) {
    assertThat(run("simulate", "--seeds", "4", "--subject", subject)).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern(
            "[1-9][0-9]* writes into collections; (.* given up; )?every promise was kept");
  }

  /** Only in order by time do two sides meet that give something up. */
  @ParameterizedTest
  @CsvSource({
    "SERVICE,'acknowledged, [0-9]+ of them given up when two sides met'",
    "CONSENSUS,acknowledged",
    "LOG,slots committed"
  })
  void saysWhatTheSubjectCounts(String subject, String counted) {
    assertThat(run("simulate", "--seeds", "4", "--subject", subject)).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).containsPattern("[1-9][0-9,]* " + counted + "; every promise was");
  }

  @Test
  void aSeedIsReplayedWithItsTrace() {
    assertThat(run("simulate", "--seed", "17", "--trace")).isEqualTo(ExitCode.OK);
    String first = out.toString();
    out.getBuffer().setLength(0);
    assertThat(run("simulate", "--seed", "17", "--trace")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEqualTo(first);
    assertThat(first.lines().count()).isGreaterThan(100);
  }

  /** Merging loses what is forgotten when the sides meet: limits are low in these worlds. */
  @Test
  void showsThatMergingLosesFarLessThanAdopting() {
    String[] parted = {
      "simulate", "--from", "52", "--seeds", "16", "--scenario", "PARTITION", "--reconcile"
    };
    assertThat(lost(with(parted, "merge"))).isLessThan(lost(with(parted, "adopt")) / 4);
  }

  private long lost(String... arguments) {
    assertThat(run(arguments)).isEqualTo(ExitCode.OK);
    Matcher lost =
        Pattern.compile("(\\d+) of them given up when two sides met").matcher(out.toString());
    assertThat(lost.find()).isTrue();
    out.getBuffer().setLength(0);
    return Long.parseLong(lost.group(1));
  }

  private static String[] with(String[] arguments, String last) {
    return Stream.concat(Stream.of(arguments), Stream.of(last)).toArray(String[]::new);
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThat(run("simulate", "--seeds", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(run("simulate", "--trace")).isEqualTo(ExitCode.USAGE);
    assertThat(run("simulate", "--scenario", "FLOOD")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("BURN").contains("Choose one with --seed");
  }

  @Test
  void progressSaysHowLongItStillTakes() {
    assertThat(SeedProgress.line(2_500, 100_000, 10))
        .isEqualTo("2,500 of 100,000 seeds, 250/s, 6:30 left");
    assertThat(SeedProgress.line(14, 200, 30)).isEqualTo("14 of 200 seeds, 0.5/s, 6:39 left");
    assertThat(SeedProgress.line(0, 10, 0)).isEqualTo("0 of 10 seeds, 0.0/s, ? left");
  }

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
