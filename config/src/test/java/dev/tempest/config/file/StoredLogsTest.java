package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.CheckpointConfig.Log;
import dev.tempest.config.ConfigException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file says of logs that are to be stored. */
final class StoredLogsTest {
  private static final String SERVICE =
      """
      members: [10.0.0.1]
      services:
        - {name: a, class: A, consistency: linearizable}
      """;

  @ParameterizedTest
  @ValueSource(strings = {"disk", "adaptive"})
  void withoutAFolderTheyAreRefusedWhereTheyStand(String log) {
    assertThatThrownBy(() -> parse(SERVICE + "log: " + log + "\n", Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.yaml line 4: logs are to be stored, and there is no checkpoint-folder for them."
                + " Write checkpoint-folder: /var/lib/shop/checkpoints, or log: memory");
  }

  @Test
  void thatIsSaidWithAllElseThatIsWrong() {
    assertThatThrownBy(
            () -> parse("log: disk\ncheckpoint-folder: none\n", Map.of("TEMPEST_ACKS", "x")))
        .message()
        .satisfies(message ->
            assertThat(message.lines())
                .satisfiesExactly(
                    line -> assertThat(line).startsWith("environment variable TEMPEST_ACKS: "),
                    line -> assertThat(line).startsWith("test.yaml line 1: logs are to be")));
  }

  /** Else it would be said as well that there is none. */
  @Test
  void aFolderThatIsRefusedIsSaidOnce() {
    assertThatThrownBy(() -> parse("log: disk\ncheckpoint-folder: \"a\\0\"\n", Map.of()))
        .message()
        .satisfies(message ->
            assertThat(message.lines())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("test.yaml line 2: ")));
  }

  @Test
  void theFolderMayStandInTheEnvironment() {
    NodeSettings settings =
        parse(SERVICE + "log: disk\n", Map.of("TEMPEST_CHECKPOINT_FOLDER", "/var/lib/shop"));

    assertThat(settings.config().checkpoints().log()).isEqualTo(Log.DISK);
  }

  private static NodeSettings parse(String yaml, Map<String, String> environment) {
    return new NodeReader(environment, Map.of())
        .read(new ConfigFile("test.yaml", Path.of(""), yaml));
  }
}
