package dev.tempest.bench;

import dev.tempest.cli.CommandException;
import dev.tempest.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

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
    spec.name(experiment.name()).mixinStandardHelpOptions(true);
    spec.usageMessage()
        .sortOptions(false)
        .description(experiment.help().toArray(String[]::new))
        .footerHeading("%nExamples:%n")
        .footer(
            experiment.examples().stream()
                .map(each -> "  tempest bench " + each)
                .toArray(String[]::new));
    if (experiment.settings().stream().anyMatch(each -> !each.full().equals(each.usual()))) {
      spec.addOption(flag(FULL).description("Longer, and with more to compare.").build());
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
    if (setting.isFlag()) {
      return flag(name).description(setting.description()).build();
    }
    return OptionSpec.builder(name)
        .type(String.class)
        .paramLabel("N")
        .hidden(setting.description().isEmpty())
        .description("%s Default: %s.".formatted(setting.description(), setting.usual()))
        .build();
  }

  private static OptionSpec.Builder flag(String name) {
    return OptionSpec.builder(name).type(boolean.class).arity("0");
  }

  @Override
  public Integer call() throws InterruptedException {
    Settings settings = settings();
    try {
      Run.of(experiment, settings, folder(), spec.commandLine().getOut());
      return ExitCode.OK;
    } catch (IOException e) {
      CommandException failure =
          new CommandException(
              ExitCode.UNAVAILABLE,
              "the benchmark cannot go on (" + e.getMessage() + ")",
              spec.qualifiedName(),
              "read the log in the folder of results, or choose another folder with --out");
      failure.initCause(e);
      throw failure;
    }
  }

  private Settings settings() {
    Map<String, String> chosen = new LinkedHashMap<>();
    for (Setting setting : experiment.settings()) {
      Object value = spec.findOption("--" + setting.name()).getValue();
      if (value != null) {
        chosen.put(setting.name(), value.toString());
      }
    }
    OptionSpec full = spec.findOption(FULL);
    try {
      return Settings.of(
          experiment.settings(), full != null && Boolean.TRUE.equals(full.getValue()), chosen);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Path folder() {
    if (spec.findOption(OUT).getValue() instanceof Path given) {
      return given;
    }
    String time = ZonedDateTime.now(ZoneId.systemDefault()).format(TIME);
    return Path.of("bench-results", experiment.name() + "-" + time);
  }
}
