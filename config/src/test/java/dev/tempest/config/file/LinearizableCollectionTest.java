package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a file says of collections that a majority agrees on. */
final class LinearizableCollectionTest {
  private static final String STOCK =
      """
      acks: 2
      collections:
        stock: {consistency: linearizable, max-size: 9}
        carts: {consistency: eventual}
      """;

  private static final String MEMBERS = "members: [10.0.0.1, 10.0.0.2]\n";

  @Test
  void itIsReadAndTheAcksOfTheNodeAreNotIts() {
    NodeSettings settings = parse(MEMBERS + STOCK, Map.of());

    assertThat(settings.config().collection("stock").isLinearizable()).isTrue();
    assertThat(settings.config().collection("stock").maxSize()).isEqualTo(9);
    assertThat(settings.config().collection("carts").isLinearizable()).isFalse();
    assertThat(settings.collection("stock"))
        .endsWith(
            new Setting("acks", "none", "default"),
            new Setting("consistency", "linearizable", "test.yaml line 4"));
    assertThat(settings.collection("carts"))
        .endsWith(
            new Setting("acks", "2", "test.yaml line 2"),
            new Setting("consistency", "eventual", "test.yaml line 5"));
  }

  @Test
  void withoutMembersEachIsRefusedWhereItStands() {
    assertThatThrownBy(() -> parse(STOCK + "  s*: {consistency: linearizable}\n", Map.of()))
        .isInstanceOf(ConfigException.class)
        .message()
        .satisfies(message ->
            assertThat(message.lines())
                .containsExactly(
                    "test.yaml line 3: collection 'stock' is linearizable, and no members are"
                        + " listed: list the addresses of all nodes under members. Write members:"
                        + " [10.0.0.1:7400, 10.0.0.2:7400, 10.0.0.3:7400]",
                    "test.yaml line 5: collection 's*' is linearizable, and no members are"
                        + " listed: list the addresses of all nodes under members. Write members:"
                        + " [10.0.0.1:7400, 10.0.0.2:7400, 10.0.0.3:7400]"));
  }

  @Test
  void theMembersMayStandInTheEnvironment() {
    NodeSettings settings = parse(STOCK, Map.of("TEMPEST_MEMBERS", "10.0.0.1"));

    assertThat(settings.config().collection("stock").isLinearizable()).isTrue();
  }

  @Test
  void whatContradictsItIsRefusedWhereThePatternStands() {
    String file =
        """
        collections:
          a: {consistency: linearizable, acks: 2}
          b: {preset: eventual, consistency: linearizable}
          c: {consistency: strong}
          D: {consistency: linearizable, acks: 3}
          e: {consistency: linearizable, acks: 2, preset: eventual}
        """;

    assertThatThrownBy(() -> parse(file, Map.of()))
        .isInstanceOf(ConfigException.class)
        .message()
        .satisfies(message ->
            assertThat(message.lines())
                .containsExactly(
                    "test.yaml line 2: of a linearizable collection a majority has each write"
                        + " before it returns: leave acks out. Or write consistency: eventual",
                    "test.yaml line 3: a preset says which of two concurrent writes wins, and"
                        + " writes to a linearizable collection are never concurrent: leave preset"
                        + " out. Or write consistency: eventual",
                    "test.yaml line 4: unknown consistency 'strong'. Known: eventual, linearizable",
                    "test.yaml line 5: of a linearizable collection a majority has each write"
                        + " before it returns: leave acks out. Or write consistency: eventual",
                    "test.yaml line 5: invalid collection pattern 'D': use up to 64 characters of"
                        + " a-z, 0-9 and -, the last may be a *. Write a name, such as carts, or"
                        + " the beginning of names and a star",
                    "test.yaml line 6: a preset says which of two concurrent writes wins, and"
                        + " writes to a linearizable collection are never concurrent: leave preset"
                        + " out. Or write consistency: eventual",
                    "test.yaml line 6: of a linearizable collection a majority has each write"
                        + " before it returns: leave acks out. Or write consistency: eventual"));
  }

  private static NodeSettings parse(String yaml, Map<String, String> environment) {
    return new NodeReader(environment, Map.of())
        .read(new ConfigFile("test.yaml", Path.of(""), yaml));
  }
}
