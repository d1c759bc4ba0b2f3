package dev.tempest.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Where a benchmark leaves its measurements, line by line as they come, and its pictures. */
final class ResultFolder implements AutoCloseable {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  private final Path folder;
  private final BufferedWriter lines;
  private final List<Measurement> measurements = new ArrayList<>();

  private ResultFolder(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.lines = Files.newBufferedWriter(folder.resolve("results.jsonl"));
  }

  /** Creates the folder, {@code bench-results/<benchmark>-<time>} if none is given. */
  static ResultFolder create(String benchmark, @Nullable Path given) throws IOException {
    if (given != null) {
      return new ResultFolder(given);
    }
    String name = benchmark + "-" + ZonedDateTime.now(ZoneId.systemDefault()).format(TIME);
    return new ResultFolder(Path.of("bench-results", name));
  }

  Path path() {
    return folder;
  }

  /** Takes what the processes write to their standard error. */
  Path log() {
    return folder.resolve("processes.log");
  }

  void add(Measurement measurement) throws IOException {
    measurements.add(measurement);
    addLine(measurement.toJson());
  }

  /** Adds a line of JSON that is no {@link Measurement}. */
  void addLine(String json) throws IOException {
    lines.write(json);
    lines.newLine();
    lines.flush(); // What is measured stays, however the benchmark ends.
  }

  /** What was measured of a system, in the order of the rounds. */
  List<Measurement> of(String system) {
    return measurements.stream()
        .filter(measurement -> measurement.system().equals(system))
        .toList();
  }

  /** One number per round of a system. */
  List<Double> rounds(String system, ToDoubleFunction<Measurement> number) {
    return of(system).stream().map(number::applyAsDouble).toList();
  }

  /** Says where it is, and the page if there is one. */
  void tell(PrintWriter out) {
    Path page = folder.resolve(PaperPage.FILE);
    out.printf("results: %s%n", Files.exists(page) ? page : folder);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
