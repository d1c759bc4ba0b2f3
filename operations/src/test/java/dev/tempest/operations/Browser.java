package dev.tempest.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A Chromium without a window. */
record Browser(Path program, Path folder) {
  private static final List<String> NAMES =
      List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome");

  /** On time of its own, which runs as fast as answers come. */
  private static final int MILLIS = 5_000;

  /** The first on the path; what it writes goes into the folder. */
  static Optional<Browser> find(Path folder) {
    return NAMES.stream()
        .flatMap(name ->
            Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(place -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .map(program -> new Browser(program, folder))
        .findFirst();
  }

  /** The page as it is after a while; fails if its script complains. */
  String page(URI uri) throws IOException, InterruptedException {
    return run("--dump-dom", uri);
  }

  /** A picture of it then. */
  Path picture(URI uri, int width, int height) throws IOException, InterruptedException {
    Path picture = folder.resolve("dashboard-%dx%d.png".formatted(width, height));
    run("--screenshot=" + picture, uri, "--window-size=" + width + "," + height);
    return picture;
  }

  private String run(String what, URI uri, String... more)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", "");
    Path log = Files.createTempFile(folder, "log", "");
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox", // Containers run as root.
            "--disable-gpu",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--user-data-dir=" + folder.resolve("profile"),
            "--virtual-time-budget=" + MILLIS,
            what));
    command.addAll(List.of(more));
    command.add(uri.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(100, TimeUnit.SECONDS)).as("the browser ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(log)).doesNotContain("CONSOLE");
    assertThat(process.exitValue()).isZero();
    return Files.readString(out);
  }
}
