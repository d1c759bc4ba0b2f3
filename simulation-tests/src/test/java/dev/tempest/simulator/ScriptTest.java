package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code -Dregenerate=true} writes what comes out into the files, to be read as text. */
class ScriptTest {
  static Stream<Path> scripts() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "simulator", "scenarios", "order-time"))) {
      return files.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void whatComesOutIsWhatTheFileSays(Path script) throws IOException {
    var expected = Files.readAllLines(script);
    var actual = Script.run(expected);
    if (Boolean.getBoolean("regenerate")) {
      Files.write(script, actual);
    } else {
      assertThat(actual).isEqualTo(expected);
    }
  }
}
