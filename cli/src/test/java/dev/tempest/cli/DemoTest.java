package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.examples.cart.CartLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

@ExtendWith(UsualPortsTaken.class)
final class DemoTest {
  private static final CartLine APPLE = new CartLine("alice", "apple");
  private static final CartLine PEAR = new CartLine("alice", "pear");
  private static final CartLine PLUM = new CartLine("bob", "plum");

  /** Three real processes, one of them killed and started again. */
  @Test
  void threeServersOneOfThemKilledEndWithTheCartsOfTheReplay() {
    StringWriter out = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));

    int exitCode = line.execute("demo", "--seconds", "10", "--lines", "2000");

    assertThat(out.toString())
        .contains("server 2 killed (SIGKILL)")
        .contains("server 2 back: state taken from ")
        .contains("2,000 orders, 3 replicas, 1,925 cart lines each: all equal")
        .contains("48 more lines are empty at the end: all that they had was sent back")
        .satisfies(text -> assertThat(text.lines()).allMatch(each -> each.length() <= 80));
    assertThat(exitCode).isEqualTo(ExitCode.OK);
    assertThat(ProcessHandle.current().children()).noneMatch(DemoTest::isServer);
  }

  /** The leader of three real processes killed and started again. */
  @Test
  void whatClientsAreToldByConsensusIsLinearizableThoughTheLeaderIsKilled() {
    StringWriter out = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));

    int exitCode =
        line.execute("demo", "--order", "consensus", "--seconds", "10", "--lines", "2000");

    assertThat(out.toString())
        .containsPattern("server [1-3], which leads, killed \\(SIGKILL\\)")
        .containsPattern("server [1-3] back: state taken from ")
        .containsPattern("Longest wait while server [1-3] was away: order [\\d,]+ ms")
        .containsPattern("2,000 orders, [\\d,]+ reads, 1,9\\d\\d cart lines: each line is linear")
        .contains("2,000 orders, 3 replicas, 1,925 cart lines each: all equal")
        .contains("48 more lines are empty at the end: all that they had was sent back")
        .satisfies(text -> assertThat(text.lines()).allMatch(each -> each.length() <= 80));
    assertThat(exitCode).isEqualTo(ExitCode.OK);
    assertThat(ProcessHandle.current().children()).noneMatch(DemoTest::isServer);
  }

  @Test
  void anotherOrderIsRefused() {
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setErr(new PrintWriter(err, true));

    assertThat(line.execute("demo", "--order", "primary")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--order", "TIME, CONSENSUS", "primary");
  }

  @Test
  void differencesAreNamedEntryByEntry() {
    SortedMap<CartLine, Integer> expected = new TreeMap<>();
    expected.put(APPLE, 3);
    expected.put(PEAR, 1);
    SortedMap<CartLine, Integer> actual = new TreeMap<>();
    actual.put(APPLE, 2);
    actual.put(PLUM, 4);

    assertThat(DemoComparison.differences(expected, actual))
        .isEqualTo(
            List.of(
                "customer alice, item apple: 2, should be 3",
                "customer alice, item pear: nothing, should be 1",
                "customer bob, item plum: 4, should be nothing"));
    assertThat(DemoComparison.differences(expected, expected)).isEmpty();
  }

  private static boolean isServer(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(Main.class.getName());
  }
}
