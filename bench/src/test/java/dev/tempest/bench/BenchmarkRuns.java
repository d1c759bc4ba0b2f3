package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs benchmarks as their command does, and reads what they have written. */
@Timeout(600)
abstract class BenchmarkRuns {
  @TempDir Path folder;

  final StringWriter printed = new StringWriter();

  @AfterEach
  void noProcessIsLeft() {
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }

  final void run(String benchmark) {
    CommandLine line = Main.commandLine();
    StringWriter errors = new StringWriter();
    line.setOut(new PrintWriter(printed, true));
    line.setErr(new PrintWriter(errors, true));
    List<String> words = new ArrayList<>(List.of(("bench " + benchmark).split(" ", -1)));
    words.addAll(List.of("--out", folder.toString()));
    assertThat(line.execute(words.toArray(String[]::new))).as(errors.toString()).isZero();
    assertThat(printed.toString()).contains("results: " + folder.resolve("index.html"));
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(folder.resolve("results.jsonl"));
  }

  final List<String> measured() throws IOException {
    return lines().stream().filter(line -> !line.contains("\"goal\":")).toList();
  }

  final List<String> goals() throws IOException {
    return lines().stream().filter(line -> line.contains("\"goal\":")).toList();
  }

  final List<Double> numbers(String field) throws IOException {
    return measured().stream()
        .filter(line -> line.contains("\"%s\":".formatted(field)))
        .map(line -> number(line, field))
        .toList();
  }

  private static double number(String line, String field) {
    String before = "\"%s\":".formatted(field);
    int start = line.indexOf(before) + before.length();
    return Double.parseDouble(line.substring(start).split("[,}]", 2)[0]);
  }

  final String page() throws IOException {
    return Files.readString(folder.resolve("index.html"));
  }
}
