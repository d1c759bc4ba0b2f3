package dev.tempest.cli;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.CollectionRule;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.config.file.NodeSettings;
import dev.tempest.config.file.Setting;
import dev.tempest.runtime.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what is configured, and where. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows what applies to a collection, to a service that the file hosts, or to the node"
            + " itself, and where each value was written: as a node sees it that is started in this"
            + " folder with this environment.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:shown",
      "64:wrong usage: no service has this name, and no collection can have it",
      "70:a bug in Tempest",
      "78:the configuration cannot work"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest explain carts               a collection, or a service",
      "  tempest explain                     the node: cluster, ports, discovery",
      "  tempest explain carts --config production.yaml --json"
    })
final class ExplainCommand implements Callable<Integer> {
  private static final String GAP = "  ";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      description = "The name of the collection, or of the service. Default: the node itself.")
  private @Nullable String name;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The file to read. Default: TEMPEST_CONFIG, else tempest.yaml here, if there is one.")
  private @Nullable Path config;

  @Option(names = "--json", description = "Print JSON in place of the table.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * What has the name.
   *
   * @param isService whether it is a service; else it is a collection
   * @param guarantee what its updates or writes, and its reads, can rely on
   */
  private record Subject(
      boolean isService, String name, List<Setting> settings, String guarantee) {}

  @Override
  public Integer call() {
    NodeSettings settings = NodeSettings.load(config, Map.of());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        json ? json(settings, name) : String.join("\n", lines(settings, name, Terminal.width())));
    out.flush();
    return ExitCode.OK;
  }

  /** A service and a collection may have the same name. */
  private static List<Subject> subjects(NodeSettings settings, String name) {
    List<Subject> subjects = new ArrayList<>();
    settings
        .hosted(name)
        .ifPresent(service ->
            subjects.add(
                new Subject(true, name, settings.service(service), guarantee(service.options()))));
    boolean fits = CollectionRule.isName(name) && settings.config().rule(name).isPresent();
    if (subjects.isEmpty() || fits) {
      List<Setting> written = settings.collection(check(name));
      subjects.add(
          new Subject(false, name, written, guarantee(settings.config().collection(name))));
    }
    return subjects;
  }

  private static String check(String name) {
    try {
      return CollectionRule.checkName(name);
    } catch (IllegalArgumentException e) {
      CommandException refusal =
          new CommandException(
              ExitCode.USAGE,
              String.valueOf(e.getMessage()),
              "argument NAME",
              "name a collection, not a pattern, or a service of the file");
      refusal.initCause(e);
      throw refusal;
    }
  }

  /** The answer, on lines of at most so many characters. */
  static List<String> lines(NodeSettings settings, @Nullable String name, int width) {
    List<String> lines = new ArrayList<>();
    if (name == null) {
      lines.add(heading(settings, "this node"));
      lines.add("");
      lines.addAll(table(settings.node(), width));
      return lines;
    }
    for (Subject subject : subjects(settings, name)) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.add(heading(settings, (subject.isService() ? "service " : "") + name));
      lines.add("");
      lines.addAll(table(subject.settings(), width));
      lines.add("");
      lines.addAll(Terminal.wrap(subject.guarantee(), width));
    }
    return lines;
  }

  private static String heading(NodeSettings settings, String subject) {
    return settings
        .file()
        .map(file -> subject + ", by " + file)
        .orElse(subject + ", without a file: there is no " + NodeSettings.FILE + " here");
  }

  /** Where a value was written stands below the value if it does not fit beside it. */
  private static List<String> table(List<Setting> settings, int width) {
    List<Setting> rows = new ArrayList<>(List.of(new Setting("", "value", "written")));
    rows.addAll(settings);
    int keyWidth = rows.stream().mapToInt(row -> row.key().length()).max().orElse(0);
    int valueWidth = rows.stream().mapToInt(row -> row.value().length()).max().orElse(0);
    int whereMax = width - keyWidth - valueWidth - 2 * GAP.length();
    List<String> lines = new ArrayList<>();
    for (Setting row : rows) {
      if (row.where().length() <= whereMax) {
        lines.add(pad(row.key(), keyWidth) + pad(row.value(), valueWidth) + row.where());
      } else {
        lines.add(pad(row.key(), keyWidth) + row.value());
        lines.add(pad("", keyWidth) + row.where());
      }
    }
    return lines;
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length()) + GAP;
  }

  private static String guarantee(CollectionConfig config) {
    if (config.isLinearizable()) {
      return "linearizable: a majority agrees on each write before it returns, and reads show every"
          + " earlier write.";
    }
    var preset = config.preset();
    return preset.word() + ": " + preset.guarantee() + ".";
  }

  private static String guarantee(ServiceOptions options) {
    return switch (options.consistency()) {
      case EVENTUAL ->
          "eventual: updates are executed at once, and servers agree on their order afterwards;"
              + " reads show "
              + shown(options.reads());
      case LINEARIZABLE ->
          "linearizable: a majority agrees on each update before it returns, and reads show "
              + shown(options.reads());
      case PRIMARY_BACKUP ->
          "primary-backup: the primary and its backup have each update before it returns, both in"
              + " memory, and reads show "
              + shown(options.reads());
    };
  }

  private static String shown(Reads reads) {
    return switch (reads) {
      case LINEARIZABLE, LEASE, LOCAL -> "every earlier update.";
      case SESSION -> "what the caller has seen.";
      case STALE -> "what is known where they are answered.";
    };
  }

  private static String json(NodeSettings settings, @Nullable String name) {
    String file = "{\"file\":" + settings.file().map(Json::quote).orElse("null");
    if (name == null) {
      return file + ",\"node\":" + json(settings.node()) + "}";
    }
    return subjects(settings, name).stream()
        .map(ExplainCommand::json)
        .collect(Collectors.joining(",", file + ",", "}"));
  }

  private static String json(Subject subject) {
    String rest =
        "\"settings\":"
            + json(subject.settings())
            + ",\"guarantee\":"
            + Json.quote(subject.guarantee());
    String name = Json.quote(subject.name());
    return subject.isService()
        ? "\"service\":{\"name\":" + name + "," + rest + "}"
        : "\"collection\":" + name + "," + rest;
  }

  private static String json(List<Setting> settings) {
    return settings.stream()
        .map(setting ->
            "{\"key\":"
                + Json.quote(setting.key())
                + ",\"value\":"
                + Json.quote(setting.value())
                + ",\"where\":"
                + Json.quote(setting.where())
                + "}")
        .collect(Collectors.joining(",", "[", "]"));
  }
}
