package dev.tempest.cli;

import dev.tempest.config.ConfigFile;
import dev.tempest.config.NodeSettings;
import dev.tempest.config.YamlMapping;
import dev.tempest.server.ServerFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says all that is wrong with a configuration. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Reads a configuration as a node or server would, and says all that is wrong.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:it can work",
      "64:wrong usage",
      "70:a bug in Tempest",
      "78:it cannot work; each line says what, where, and what to do"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest config validate                    this folder and environment",
      "  tempest config validate production.yaml    the file by itself"
    })
final class ConfigValidateCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = {
        "The file of a node, or that of a server if there are services in it.",
        "Default: what a node would read that is started here: TEMPEST_CONFIG, else tempest.yaml,"
            + " and the environment."
      })
  private @Nullable Path file;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(file == null ? here() : checked(file));
    out.flush();
    return ExitCode.OK;
  }

  private static String here() {
    NodeSettings settings = NodeSettings.load();
    return settings
        .file()
        .map(file -> file + ": " + sizeOf(settings))
        .orElse("no " + NodeSettings.FILE + " here: the defaults apply");
  }

  private static String checked(Path file) {
    if (YamlMapping.keys(ConfigFile.read(file, "name the right one")).contains("services")) {
      int services = ServerFile.read(file, Map.of(), Map.of()).services().size();
      return file + ": valid, the file of a server with services: " + services;
    }
    return file + ": " + sizeOf(NodeSettings.read(file, Map.of()));
  }

  private static String sizeOf(NodeSettings settings) {
    return "valid, the file of a node with collection patterns: "
        + settings.config().collections().size();
  }
}
