package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.examples.cart.CartLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

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
        .satisfies(text -> assertThat(text.lines()).allMatch(each -> each.length() <= 80));
    assertThat(exitCode).isEqualTo(ExitCode.OK);
    assertThat(ProcessHandle.current().children()).noneMatch(DemoTest::isServer);
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
