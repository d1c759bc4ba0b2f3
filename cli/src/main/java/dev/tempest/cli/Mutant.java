package dev.tempest.cli;

import dev.tempest.simulator.Scenario;
import dev.tempest.simulator.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A wrong variant of one source file, which some seed has to find: {@code
 * simulator/mutants/SUBJECT/NAME.diff} has a sentence, maybe a scenario and a seed, the file, and
 * the lines that differ.
 *
 * @param sentence what it does wrong
 * @param subject of the worlds that have to find it
 * @param scenario of these worlds; null for that of each seed
 * @param seed that has found it, and is tried first; 0 for none
 * @param file its path in the checkout
 * @param right the lines that it replaces
 * @param wrong the lines in their place
 */
record Mutant(
    String name,
    String sentence,
    Subject subject,
    @Nullable Scenario scenario,
    long seed,
    Path file,
    String right,
    String wrong) {
  private static final Path FOLDER = Path.of("simulator", "mutants");
  private static final String FILE = "--- ";
  private static final String SCENARIO = "Scenario ";
  private static final String SEED = "Seed ";
  private static final String SUFFIX = ".diff";

  /** All whose names contain a text, in the order of their names. */
  static List<Mutant> named(String text, Path checkout) throws IOException {
    List<Mutant> mutants = new ArrayList<>();
    for (Subject subject : Subject.values()) {
      Path folder = checkout.resolve(FOLDER).resolve(subject.name().toLowerCase(Locale.ROOT));
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.sorted().toList()) {
          String name = file.getFileName().toString().replace(SUFFIX, "");
          if (name.contains(text)) {
            mutants.add(parse(name, subject, Files.readAllLines(file)));
          }
        }
      }
    }
    return mutants;
  }

  /** The folder above this one that has mutants. */
  static Path checkout() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(FOLDER))) {
        return folder;
      }
    }
    throw new CommandException(
        ExitCode.USAGE,
        "no folder " + FOLDER + " here or above",
        "option --mutants",
        "run it in a checkout of Tempest");
  }

  static Mutant parse(String name, Subject subject, List<String> lines) {
    StringBuilder sentence = new StringBuilder();
    StringBuilder right = new StringBuilder();
    StringBuilder wrong = new StringBuilder();
    Scenario scenario = null;
    long seed = 0;
    Path file = null;
    for (String line : lines) {
      if (file == null && line.startsWith(FILE)) {
        file = Path.of(line.substring(FILE.length()));
      } else if (file == null && line.startsWith(SCENARIO)) {
        scenario = Scenario.valueOf(line.substring(SCENARIO.length()));
      } else if (file == null && line.startsWith(SEED)) {
        seed = Long.parseLong(line.substring(SEED.length()));
      } else if (file == null) {
        sentence.append(line.isEmpty() || sentence.isEmpty() ? "" : " ").append(line);
      } else {
        String text = line.isEmpty() ? "\n" : line.substring(1) + "\n";
        boolean added = line.startsWith("+");
        boolean removed = line.startsWith("-");
        right.append(added ? "" : text);
        wrong.append(removed ? "" : text);
      }
    }
    if (file == null || sentence.isEmpty() || right.isEmpty()) {
      throw broken(name, "lacks a sentence, a line '" + FILE + "FILE' or lines that differ");
    }
    return new Mutant(
        name,
        sentence.toString(),
        subject,
        scenario,
        seed,
        file,
        right.toString(),
        wrong.toString());
  }

  /** The source with the wrong lines in place of the right ones. */
  String in(String source) {
    int at = source.indexOf(right);
    if (at < 0 || source.indexOf(right, at + 1) >= 0) {
      throw broken(name, "replaces lines that are not exactly once in " + file);
    }
    return source.substring(0, at) + wrong + source.substring(at + right.length());
  }

  /** It cannot be tried. */
  static CommandException broken(String name, String what) {
    return new CommandException(
        ExitCode.BUG, "mutant " + name + " " + what, FOLDER.toString(), "mend the mutant");
  }
}
