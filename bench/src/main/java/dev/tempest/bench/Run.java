package dev.tempest.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** One run of an experiment: measures, says how far it is, and keeps what was measured. */
final class Run {
  private final Experiment experiment;
  private final Settings settings;
  private final Path folder;
  private final PrintWriter out;
  private final Progress progress;
  private final List<Point> points = new ArrayList<>();

  Run(Experiment experiment, Settings settings, Path folder, PrintWriter out, PrintWriter err) {
    this.experiment = experiment;
    this.settings = settings;
    this.folder = folder;
    this.out = out;
    this.progress = Progress.of(out, err);
  }

  /** What takes turns with others. */
  @FunctionalInterface
  interface Turn {
    Point measure() throws IOException, InterruptedException;
  }

  /**
   * Measures, prints the tables, and leaves lines of JSON, pictures and a page in its folder, which
   * is there.
   *
   * @throws IOException if a process does not start or fails, or results cannot be written
   */
  void run() throws IOException, InterruptedException {
    Files.write(results(), List.of());
    experiment.measuring().measure(this);
    progress.end();
    Page page = new Page(Words.of(experiment.name()));
    Points measured = new Points(points);
    if (!measured.having("jdk").isEmpty()) {
      page.measuredHere();
    }
    experiment.reporting().report(measured, settings, page);
    for (Point goal : page.goals()) {
      add(goal);
    }
    page.print(out);
    out.printf("%nresults: %s%n", page.write(folder));
    out.flush();
  }

  Settings settings() {
    return settings;
  }

  private Path results() {
    return folder.resolve("results.jsonl");
  }

  /** Takes what processes write to their standard error. */
  Path log() {
    return folder.resolve("processes.log");
  }

  /** Says what is going on. */
  void say(String what) {
    progress.say(what);
  }

  /** Adds a point; what is measured stays, however the run ends. */
  void add(Point point) throws IOException {
    points.add(point);
    String line = point.with("benchmark", experiment.name()).toJson();
    Files.write(results(), List.of(line), StandardOpenOption.APPEND);
  }

  /**
   * Measures in rounds: in each, every turn comes once, one right after the other, so that what
   * else the machine does at that time hits all of them. Ratios are those of one round.
   */
  void rounds(int count, List<Turn> turns) throws IOException, InterruptedException {
    for (int round = 0; round < count; round++) {
      for (int turn = 0; turn < turns.size(); turn++) {
        say("round %d of %d, %d of %d".formatted(round + 1, count, turn + 1, turns.size()));
        add(turns.get(turn).measure().with("round", round));
      }
    }
  }
}
