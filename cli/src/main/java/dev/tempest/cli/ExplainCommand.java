package dev.tempest.cli;

import dev.tempest.config.CollectionRule;
import dev.tempest.config.file.NodeSettings;
import dev.tempest.config.file.Setting;
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
        "Shows what applies to a collection, or to the node itself, and where each value was"
            + " written: as a node sees it that is started in this folder with this environment.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:shown",
      "64:wrong usage: no collection can have this name",
      "70:a bug in Tempest",
      "78:the configuration cannot work"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest explain carts",
      "  tempest explain                     the node: cluster, ports, discovery",
      "  tempest explain carts --config production.yaml --json"
    })
final class ExplainCommand implements Callable<Integer> {
  private static final String GAP = "  ";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "COLLECTION",
      description = "The name of the collection. Default: the node itself.")
  private @Nullable String collection;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The file to read. Default: TEMPEST_CONFIG, else tempest.yaml here, if there is one.")
  private @Nullable Path config;

  @Option(names = "--json", description = "Print JSON in place of the table.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    String name = collection == null ? null : check(collection);
    NodeSettings settings = NodeSettings.load(config, Map.of());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        json ? json(settings, name) : String.join("\n", lines(settings, name, Terminal.width())));
    out.flush();
    return ExitCode.OK;
  }

  private static String check(String name) {
    try {
      return CollectionRule.checkName(name);
    } catch (IllegalArgumentException e) {
      CommandException refusal =
          new CommandException(
              ExitCode.USAGE,
              String.valueOf(e.getMessage()),
              "argument COLLECTION",
              "name a collection, not a pattern");
      refusal.initCause(e);
      throw refusal;
    }
  }

  /** The answer, on lines of at most so many characters. */
  static List<String> lines(NodeSettings settings, @Nullable String name, int width) {
    List<String> lines = new ArrayList<>();
    String subject = name == null ? "this node" : name;
    lines.add(
        settings
            .file()
            .map(file -> subject + ", by " + file)
            .orElse(subject + ", without a file: there is no " + NodeSettings.FILE + " here"));
    lines.add("");
    lines.addAll(table(name == null ? settings.node() : settings.collection(name), width));
    if (name != null) {
      lines.add("");
      lines.addAll(Terminal.wrap(sentence(settings, name), width));
    }
    return lines;
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

  private static String sentence(NodeSettings settings, String name) {
    var config = settings.config().collection(name);
    if (config.isLinearizable()) {
      return "linearizable: a majority agrees on each write before it returns, and reads show every"
          + " earlier write.";
    }
    var preset = config.preset();
    return preset.word() + ": " + preset.guarantee() + ".";
  }

  private static String json(NodeSettings settings, @Nullable String name) {
    String file = settings.file().map(Json::quote).orElse("null");
    if (name == null) {
      return "{\"file\":" + file + ",\"node\":" + json(settings.node()) + "}";
    }
    return "{\"file\":"
        + file
        + ",\"collection\":"
        + Json.quote(name)
        + ",\"settings\":"
        + json(settings.collection(name))
        + ",\"guarantee\":"
        + Json.quote(sentence(settings, name))
        + "}";
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
