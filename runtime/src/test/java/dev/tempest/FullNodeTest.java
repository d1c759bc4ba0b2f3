package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process whose memory is all but full. */
final class FullNodeTest {
  private static final String REFUSED =
      "nothing was written: the memory of this process is all but full. Start it with a larger"
          + " -Xmx, or let it hold less";

  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path folder = Path.of("");

  /** Each has its own way to tell how much is in use. */
  @ParameterizedTest
  @ValueSource(strings = {"Serial", "Parallel", "G1", "Z"})
  void refusesWhatAddsEntriesAndGoesOn(String collector) throws Exception {
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+Use" + collector + "GC",
                "-cp",
                System.getProperty("java.class.path"),
                FillingProgram.class.getName(),
                "127.0.0.1:" + FreePorts.find(1).getFirst())
            .redirectOutput(said.toFile())
            .redirectError(folder.resolve("log").toFile())
            .start();
    boolean hasEnded;
    try {
      hasEnded = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }

    String log = Files.readString(folder.resolve("log"));
    assertThat(hasEnded).as(log).isTrue();
    assertThat(Files.readAllLines(said))
        .as(log)
        .containsExactly(
            "eventual: " + REFUSED,
            "eventual: replaced, for another one",
            "agreed: " + REFUSED,
            "agreed: replaced",
            "room again");
    assertThat(process.exitValue()).isZero();
    assertThat(log).contains("WARNING: The memory of this process is all but full");
  }
}
