package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnknownKeysTest {
  @TempDir private Path folder = Path.of("");

  /** They are many, and lines that repeat them hide what differs. */
  @Test
  void theKnownOnesAreListedOnce() throws IOException {
    Path file =
        Files.writeString(folder.resolve("a.yaml"), "clutser: shop\nsedes: []\nbind: private\n");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> NodeSettings.read(file))
        .satisfies(refusal -> {
          List<String> lines = String.valueOf(refusal.getMessage()).lines().toList();
          assertThat(lines.getFirst()).contains("Did you mean 'cluster'? (known: cluster, name");
          assertThat(lines.subList(1, lines.size()))
              .containsExactly(
                  file + " line 2: unknown key 'sedes'. Did you mean 'seeds'?",
                  file + " line 3: unknown key 'bind'. The known ones are listed above");
        });
  }
}
