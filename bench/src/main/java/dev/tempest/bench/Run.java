package dev.tempest.bench;

import java.io.BufferedWriter;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One run of an experiment: measures, says how far it is, and keeps what was measured. */
final class Run {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Experiment experiment;
  private final Settings settings;
  private final Path folder;
  private final BufferedWriter lines;
  private final PrintWriter out;
  private final boolean terminal;
  private final List<Point> points = new ArrayList<>();

  @SuppressWarnings("SystemConsoleNull") // It does in JDK 25, where standard input is no terminal.
  private Run(
      Experiment experiment,
      Settings settings,
      Path folder,
      BufferedWriter lines,
      PrintWriter out) {
    this.experiment = experiment;
    this.settings = settings;
    this.folder = folder;
    this.lines = lines;
    this.out = out;
    Console console = System.console();
    this.terminal = console != null && console.isTerminal();
  }

  /**
   * Measures, prints the tables, and leaves lines of JSON, pictures and a page in a folder.
   *
   * @throws IOException if a process does not start or fails, or results cannot be written
   */
  static void of(Experiment experiment, Settings settings, Path folder, PrintWriter out)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    try (BufferedWriter lines = Files.newBufferedWriter(folder.resolve("results.jsonl"))) {
      Run run = new Run(experiment, settings, folder, lines, out);
      experiment.measuring().measure(run);
      run.say("");
      Page page = new Page(Words.of(experiment.name()));
      Points points = new Points(run.points);
      if (!points.having("jdk").isEmpty()) {
        page.measuredHere();
      }
      experiment.reporting().report(points, settings, page);
      for (Goal goal : page.goals()) {
        run.add(goal.toPoint());
      }
      page.print(out);
      out.printf("%nresults: %s%n", page.write(folder));
      out.flush();
    }
  }

  /** What was chosen. */
  Settings settings() {
    return settings;
  }

  /** Takes what processes write to their standard error. */
  Path log() {
    return folder.resolve("processes.log");
  }

  /** Says on a terminal what is going on, in one line; nothing elsewhere. */
  void say(String what) {
    if (terminal) {
      out.print(CLEAR_LINE + what);
      out.flush();
    }
  }

  /** Adds a point; what is measured stays, however the run ends. */
  void add(Point point) throws IOException {
    points.add(point);
    lines.write(Point.of("benchmark", experiment.name()).with(point.fields()).toJson());
    lines.newLine();
    lines.flush();
  }

  /**
   * Measures in rounds: in each, every turn comes once, one right after the other, so that what
   * else the machine does at that time hits all of them. Ratios are those of one round.
   */
  void rounds(int count, List<Turn> turns) throws IOException, InterruptedException {
    for (int round = 0; round < count; round++) {
      for (Turn turn : turns) {
        say("round %d of %d: ".formatted(round + 1, count) + turn.name());
        add(turn.measuring().measure().with("round", round));
      }
    }
  }
}
