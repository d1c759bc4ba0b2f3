package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
  @Test
  void alignsNamesLeftAndValuesRight() {
    TextTable table = new TextTable(80);
    table.row("server", List.of("a:1", "host:2"));
    table.row("reads", List.of("1,000", "7"));

    assertThat(table.lines())
        .containsExactly(
            "server    a:1  host:2", //
            "reads   1,000       7");
  }

  @Test
  void columnsThatDoNotFitFollowBelow() {
    TextTable table = new TextTable(20);
    table.row("server", List.of("a:7400", "b:7400", "c:7400"));
    table.row("reads", List.of("1", "2", "3"));

    assertThat(table.lines())
        .containsExactly(
            "server  a:7400",
            "reads        1",
            "",
            "server  b:7400",
            "reads        2",
            "",
            "server  c:7400",
            "reads        3");
  }

  @Test
  void aColumnWiderThanTheTerminalStandsAlone() {
    TextTable table = new TextTable(10);
    table.row("server", List.of("a-very-long-name:7400", "b:1"));

    assertThat(table.lines()).containsExactly("server  a-very-long-name:7400", "", "server  b:1");
  }
}
