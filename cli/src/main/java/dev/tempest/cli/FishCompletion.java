package dev.tempest.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script for fish, of which picocli knows nothing. */
final class FishCompletion {
  private final String program;
  private final List<String> lines = new ArrayList<>();

  private FishCompletion(String program) {
    this.program = program;
  }

  /** The script for a command and all below it. */
  static String of(CommandSpec root) {
    FishCompletion script = new FishCompletion(root.name());
    script.lines.add("# Completion of " + root.name() + " for fish.");
    script.add(root, List.of());
    return String.join("\n", script.lines) + "\n";
  }

  /**
   * @param path the names of the command and those around it, without the program's
   */
  private void add(CommandSpec command, List<String> path) {
    Set<CommandSpec> below = new LinkedHashSet<>();
    command.subcommands().values().stream().map(CommandLine::getCommandSpec).forEach(below::add);
    String where = condition(path, below.stream().map(CommandSpec::name).toList());
    for (CommandSpec each : below) {
      line(where, "-f -a " + each.name(), each.usageMessage().description());
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        line(where, words(option), option.description());
      }
    }
    for (CommandSpec each : below) {
      List<String> further = new ArrayList<>(path);
      further.add(each.name());
      add(each, further);
    }
  }

  /** Holds where all of the path has been typed, and no command below it. */
  private static String condition(List<String> path, List<String> below) {
    List<String> terms = new ArrayList<>();
    path.forEach(name -> terms.add("__fish_seen_subcommand_from " + name));
    if (!below.isEmpty()) {
      terms.add("not __fish_seen_subcommand_from " + String.join(" ", below));
    }
    return String.join("; and ", terms);
  }

  private static String words(OptionSpec option) {
    List<String> words = new ArrayList<>();
    for (String name : option.names()) {
      words.add(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      words.add("-r");
    }
    return String.join(" ", words);
  }

  private void line(String where, String words, String[] description) {
    String condition = where.isEmpty() ? "" : " -n " + quote(where);
    String text = description.length == 0 ? "" : " -d " + quote(firstSentence(description[0]));
    lines.add("complete -c " + program + condition + " " + words + text);
  }

  private static String firstSentence(String description) {
    int end = description.indexOf(". ");
    String sentence = end < 0 ? description : description.substring(0, end);
    return (sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence)
        .replace("%%", "%");
  }

  private static String quote(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
