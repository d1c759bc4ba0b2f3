package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Ballots;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file says of services whose servers vote. */
final class FastBallotsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "consistency: state-machine",
        "consistency: state-machine, reads: session",
        "consistency: linearizable, execute: all, reads: stale"
      })
  void allExecuteInMemory(String words) {
    assertThat(options(words + ", ballots: fast").ballots()).isEqualTo(Ballots.FAST);
    assertThat(options(words).ballots()).isEqualTo(Ballots.CLASSIC);
    assertThat(options(words + ", ballots: classic").ballots()).isEqualTo(Ballots.CLASSIC);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "consistency: eventual",
        "consistency: linearizable",
        "consistency: replicated",
        "consistency: primary-backup, execute: all"
      })
  void othersAreRefusedWhereTheyStand(String words) {
    assertThatThrownBy(() -> options(words + ",\n     ballots: fast"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.yaml line 4: fast ballots are for a linearizable service that all servers"
                + " execute: leave ballots out. Or write consistency: state-machine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lease", "local"})
  void readsOfAMemberAloneDoNotGoWithThem(String reads) {
    String words = "consistency: state-machine,\n     reads: " + reads;
    assertThat(options(words).reads().name()).isEqualToIgnoringCase(reads);
    assertThatThrownBy(() -> options(words + ",\n     ballots: fast"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.yaml line 5: ballots: fast goes without reads: lease or local: leave one of them"
                + " out. Or write reads: session, or stale");
  }

  @Test
  void storedLogsAreRefused() {
    assertThatThrownBy(() ->
            parse(
                "log: disk\ncheckpoint-folder: /var/lib/shop\n",
                "consistency: state-machine, ballots: fast"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.yaml line 5: service 'a' has fast ballots, and logs are stored. Leave ballots"
                + " out, or write log: memory");
  }

  @Test
  void whatIsNoWordForThemIsRefused() {
    assertThatThrownBy(() -> options("consistency: state-machine, ballots: quick"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("test.yaml line 3: unknown ballots 'quick'. Known: classic, fast");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[fast]", "{}"})
  void noWordAtAllIsRefusedWithAllWords(String value) {
    assertThatThrownBy(() -> options("consistency: state-machine, ballots: " + value))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.yaml line 3: 'ballots' is not a single value. Write ballots: classic, or fast");
  }

  private static ServiceOptions options(String words) {
    return parse("", words).config().services().getFirst().options();
  }

  private static NodeSettings parse(String before, String words) {
    String yaml =
        before
            + "members: [10.0.0.1, 10.0.0.2, 10.0.0.3]\nservices:\n  - {name: a, class: A, "
            + words
            + "}\n";
    return new NodeReader(Map.of(), Map.of()).read(new ConfigFile("test.yaml", Path.of(""), yaml));
  }
}
