package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.Consistency;
import dev.tempest.runtime.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process whose memory is all but full. */
final class FullNodeTest {
  private static final String REFUSED =
      "nothing was written: the memory of this process is all but full. Start it with a larger"
          + " -Xmx, or let it hold less";

  private static final int NODES = 3;
  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path folder = Path.of("");

  /** Each has its own way to tell how much is in use. */
  @ParameterizedTest
  @ValueSource(strings = {"Serial", "Parallel", "G1", "Z"})
  void refusesWhatAddsEntriesAndGoesOn(String collector) throws Exception {
    String log =
        run(
            FillingProgram.class,
            List.of("-XX:+Use" + collector + "GC"),
            List.of("127.0.0.1:" + FreePorts.find(1).getFirst()));

    assertThat(Files.readAllLines(said()))
        .as(log)
        .containsExactly(
            "eventual: " + REFUSED,
            "eventual: replaced, for another one",
            "agreed: " + REFUSED,
            "agreed: replaced",
            "room again");
    assertThat(log).contains("WARNING: The memory of this process is all but full");
  }

  /** A front-end of a node asks nobody else, also where others lead. */
  @ParameterizedTest
  @EnumSource(Consistency.class)
  void refusesUpdatesOfServicesAndAnswersReads(Consistency consistency) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(consistency.name()));
    FreePorts.find(NODES).forEach(port -> arguments.add("127.0.0.1:" + port));
    String log = run(FillingServicesProgram.class, List.of("-XX:+UseSerialGC"), arguments);

    String refused =
        "OVERLOADED: the memory of this process is all but full. Start it with a larger -Xmx, or"
            + " let it hold less; 5000 kept";
    assertThat(Files.readAllLines(said())).as(log).hasSize(NODES).containsOnly(refused);
  }

  private Path said() {
    return folder.resolve("said");
  }

  /** Runs a program to its end, and returns its log. */
  private String run(Class<?> program, List<String> options, List<String> arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx96m");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    Path logged = folder.resolve("log");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(said().toFile())
            .redirectError(logged.toFile())
            .start();
    boolean hasEnded;
    try {
      hasEnded = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }
    String log = Files.readString(logged);
    assertThat(hasEnded).as(log).isTrue();
    assertThat(process.exitValue()).as(log).isZero();
    return log;
  }
}
