package dev.tempest.bench;

import dev.tempest.cli.CommandException;
import dev.tempest.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The command of an experiment: its settings are the options. */
final class ExperimentCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
  private static final String FULL = "--full";
  private static final String OUT = "--out";

  private final Experiment experiment;
  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  ExperimentCommand(Experiment experiment) {
    this.experiment = experiment;
  }

  CommandSpec spec() {
    Words words = Words.of(experiment.name());
    Stream<String> help =
        words.under("help").stream().map(each -> each.replace('\n', ' ').replace("%", "%%") + "%n");
    Stream<String> examples = words.under("examples").stream().flatMap(String::lines);
    spec.name(experiment.name()).mixinStandardHelpOptions(true);
    spec.usageMessage()
        .sortOptions(false)
        .description(help.toArray(String[]::new))
        .footerHeading("%nExamples:%n")
        .footer(examples.map(each -> "  tempest bench " + each).toArray(String[]::new));
    if (experiment.settings().stream().anyMatch(each -> !each.full().equals(each.usual()))) {
      spec.addOption(flag(FULL, "Longer, and with more to compare."));
    }
    experiment.settings().forEach(each -> spec.addOption(option(each)));
    spec.addOption(
        OptionSpec.builder(OUT)
            .type(Path.class)
            .paramLabel("DIR")
            .description("Where the results go. Default: a new folder in bench-results.")
            .build());
    return spec;
  }

  private static OptionSpec option(Setting setting) {
    String name = "--" + setting.name();
    if (setting.kind() == Setting.Kind.FLAG) {
      return flag(name, setting.description());
    }
    return OptionSpec.builder(name)
        .type(String.class)
        .converters(setting::checked)
        .paramLabel(setting.label())
        .hidden(setting.description().isEmpty())
        .description(
            setting.usual().isEmpty()
                ? setting.description()
                : "%s Default: %s.".formatted(setting.description(), setting.usual()))
        .build();
  }

  private static OptionSpec flag(String name, String description) {
    return OptionSpec.builder(name).type(boolean.class).arity("0").description(description).build();
  }

  @Override
  public Integer call() throws InterruptedException {
    ParseResult options = spec.commandLine().getParseResult();
    Map<String, String> values = new HashMap<>();
    for (Setting each : experiment.settings()) {
      Object usual = options.hasMatchedOption(FULL) ? each.full() : each.usual();
      values.put(each.name(), options.matchedOptionValue("--" + each.name(), usual).toString());
    }
    String time = ZonedDateTime.now(ZoneId.systemDefault()).format(TIME);
    Path usual = Path.of("bench-results", experiment.name() + "-" + time);
    Path folder = options.matchedOptionValue(OUT, usual);
    create(folder);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      new Run(experiment, new Settings(values), folder, out, err).run();
      return ExitCode.OK;
    } catch (IOException e) {
      throw failure(
          e,
          "the benchmark cannot go on (" + e.getMessage() + ")",
          spec.qualifiedName(),
          "read the log in the folder of results, or choose another folder with --out");
    }
  }

  private static void create(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      String why =
          switch (e) {
            case FileAlreadyExistsException exists -> "it is a file";
            case AccessDeniedException denied -> "this user may not write there";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.toString();
          };
      throw failure(
          e,
          "the folder for results cannot be created: " + why,
          folder.toString(),
          "choose another folder with --out");
    }
  }

  private static CommandException failure(
      IOException cause, String what, String where, String remedy) {
    CommandException failure = new CommandException(ExitCode.UNAVAILABLE, what, where, remedy);
    failure.initCause(cause);
    return failure;
  }
}
