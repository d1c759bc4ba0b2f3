package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Has histories checked by a program that others have written: <a
 * href="https://github.com/anishathalye/porcupine">Porcupine</a>, with our models of the services,
 * in the folder {@code porcupine}.
 */
final class Porcupine {
  private static final Path SOURCES = Path.of("porcupine").toAbsolutePath();

  /** Tests in another process have their own, and run it while this one is built. */
  private static final Path PROGRAM =
      Path.of("target", "porcupine", "check-" + ProcessHandle.current().pid()).toAbsolutePath();

  private Porcupine() {}

  /**
   * What it says of a history.
   *
   * @param exitCode 0 if that is linearizable, 1 if it is not
   */
  record Verdict(int exitCode, String said) {}

  /** Builds the program, with what is beside it: nothing is fetched. Skips the test without Go. */
  static Porcupine built() throws IOException, InterruptedException {
    Needed.PORCUPINE.unless(impossible());
    Files.createDirectories(PROGRAM.getParent());
    Verdict made = run(List.of("go", "build", "-mod=vendor", "-o", PROGRAM.toString(), "."));
    assertThat(made.exitCode).as("go build: " + made.said).isZero();
    return new Porcupine();
  }

  private static Optional<String> impossible() throws InterruptedException {
    return isThereGo()
        ? Optional.empty()
        : Optional.of(
            "Go is not installed, so nobody checks whether histories of real processes are"
                + " linearizable: install Go 1.19 or later, so that the command 'go' is found");
  }

  private static boolean isThereGo() throws InterruptedException {
    try {
      return run(List.of("go", "version")).exitCode == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  /** Checks what the files of several processes tell of one history. */
  Verdict check(List<Path> history) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(PROGRAM.toString());
    history.forEach(file -> command.add(file.toAbsolutePath().toString()));
    return run(command);
  }

  private static Verdict run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(SOURCES.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Verdict(process.waitFor(), said.strip());
  }
}
