package dev.tempest.cli;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles a mutant and lets a Java process of its own run seed after seed with it, until one
 * fails: that one kills it. A seed that has killed it before comes first. What takes longer than a
 * minute of work nobody finds in time. The work is the processor time of that process: it is the
 * same whatever else the machine does, and does not count the compilation.
 */
final class MutantTrial {
  /** In so much work it has to be killed. */
  static final Duration WORK_MAX = Duration.ofSeconds(60);

  /** A process that works takes its minute in this, however many others there are. */
  private static final long MINUTES_MAX = 60;

  private static final long LOOK_EVERY_MILLIS = 50;

  private static final Pattern FAILED =
      Pattern.compile("^seed (\\d+) failed, (\\w+):\\R  (.*)$", Pattern.MULTILINE);
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  /** How it ended: {@code line} says so, for people. */
  record Verdict(boolean killed, String line) {}

  private final Mutant mutant;
  private final Path checkout;
  private final long seeds;
  private final Duration workMax;

  /** Of as many seeds as may be needed, and as much work. */
  MutantTrial(Mutant mutant, Path checkout, long seeds, Duration workMax) {
    this.mutant = mutant;
    this.checkout = checkout;
    this.seeds = seeds;
    this.workMax = workMax;
  }

  Verdict run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("tempest-mutant");
    try {
      compile(folder);
      if (mutant.seed() > 0) {
        Verdict before = tried(folder, mutant.seed(), 1);
        if (before.killed()) {
          return before;
        }
      }
      return tried(folder, 1, seeds);
    } finally {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private void compile(Path into) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new CommandException(
          ExitCode.UNAVAILABLE, "this Java cannot compile", "JAVA_HOME", "run it with a JDK");
    }
    StringWriter errors = new StringWriter();
    List<String> options =
        List.of("-d", into.toString(), "-cp", CLASS_PATH, "-proc:none", "-nowarn", "-parameters");
    Path file = checkout.resolve(mutant.file());
    JavaFileObject source = new Source(file.toUri(), mutant.in(Files.readString(file)));
    if (!compiler.getTask(errors, null, null, options, null, List.of(source)).call()) {
      throw Mutant.broken(mutant.name(), "does not compile: " + errors);
    }
  }

  private Verdict tried(Path classes, long from, long count)
      throws IOException, InterruptedException {
    Path output = classes.resolve("output");
    long startNanos = System.nanoTime();
    Process process =
        new ProcessBuilder(command(classes, from, count))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Duration work = work(process, startNanos);
    while (!process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
      work = work(process, startNanos);
      if (work.compareTo(workMax) > 0) {
        process.destroyForcibly().waitFor();
        return new Verdict(
            false, line("SURVIVED %s of work: %s".formatted(seconds(workMax), mutant.sentence())));
      }
      if (System.nanoTime() - startNanos > TimeUnit.MINUTES.toNanos(MINUTES_MAX)) {
        process.destroyForcibly().waitFor();
        throw Mutant.broken(mutant.name(), "never ends");
      }
    }
    String said = Files.readString(output);
    Matcher failed = FAILED.matcher(said);
    if (process.exitValue() == ExitCode.NO && failed.find()) {
      return new Verdict(
          true,
          line(
              "killed by seed %s in %s of work, %s: %s"
                  .formatted(failed.group(1), seconds(work), failed.group(2), failed.group(3))));
    }
    if (process.exitValue() == ExitCode.OK) {
      return new Verdict(
          false,
          line(
              "SURVIVED %,d seeds in %s of work: %s"
                  .formatted(count, seconds(work), mutant.sentence())));
    }
    throw Mutant.broken(mutant.name(), "ends the simulator: " + said.strip());
  }

  /** What a process has done, until shortly before now; all the time where that is not known. */
  private static Duration work(Process process, long startNanos) {
    return process
        .info()
        .totalCpuDuration()
        .orElseGet(() -> Duration.ofNanos(System.nanoTime() - startNanos));
  }

  private static String seconds(Duration work) {
    return String.format(Locale.ROOT, "%.1f s", work.toMillis() / MILLIS_PER_SECOND);
  }

  private List<String> command(Path classes, long from, long count) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", classes + File.pathSeparator + CLASS_PATH));
    command.addAll(List.of(Main.class.getName(), "simulate", "--threads", "1"));
    command.addAll(List.of("--from", Long.toString(from), "--seeds", Long.toString(count)));
    command.addAll(List.of("--subject", mutant.subject().name()));
    if (mutant.scenario() != null) {
      command.addAll(List.of("--scenario", mutant.scenario().name()));
    }
    return command;
  }

  private String line(String verdict) {
    return mutant.subject() + " " + mutant.name() + " " + verdict;
  }

  /** A source that is in no file. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(URI file, String text) {
      super(file, Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
