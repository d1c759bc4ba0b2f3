package dev.tempest.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class CountersTest {
  @Test
  void thePageOfTheCommandLineExplainsEveryKindOfDrops() throws IOException {
    String page = Files.readString(Path.of("../docs/reference/command-line.md"));
    assertThat(Counters.Kind.values())
        .filteredOn(Counters.Kind::isDrop)
        .isNotEmpty()
        .allSatisfy(kind -> assertThat(page).contains("\n| `" + kind.word() + "` | "));
  }
}
