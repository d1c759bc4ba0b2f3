package dev.tempest.cli;

import dev.tempest.config.ConfigException;
import dev.tempest.config.ListenAddress;
import dev.tempest.config.file.NodeSettings;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.ServiceClasses;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
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
    description =
        "Reads a configuration as a node would, looks its members up, loads the classes of its"
            + " services, and lists every problem.",
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
        "The file, by itself.",
        "Default: what a node would read that is started here: TEMPEST_CONFIG, else tempest.yaml,"
            + " and the environment."
      })
  private @Nullable Path file;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    NodeSettings settings = file == null ? NodeSettings.load() : NodeSettings.read(file);
    if (file == null) { // A file by itself may be that of another machine.
      requireKnownHost(settings);
    }
    LocalNode.requireMembers(settings.config());
    var unused = ServiceClasses.load(settings.config().services()); // Throws what is wrong.
    out.println(
        settings
            .file()
            .map(name -> name + ": " + sizeOf(settings))
            .orElse("no " + NodeSettings.FILE + " here: the defaults apply"));
    WithoutEffect.of(settings).forEach(out::println);
    out.flush();
    return ExitCode.OK;
  }

  /**
   * A name may look like a mistyped port: whether there is such a host only a look-up tells.
   *
   * @throws ConfigException if this machine does not know the host to listen on
   */
  static void requireKnownHost(NodeSettings settings) {
    ListenAddress listen = settings.config().listen();
    if (listen.isEverywhere()) {
      return;
    }
    try {
      var unused = InetAddress.getByName(listen.host());
    } catch (UnknownHostException unknown) {
      ConfigException refusal =
          new ConfigException(
              WithoutEffect.setting(settings, "listen").where(),
              "unknown host '" + listen.host() + "'",
              "check its spelling, or write " + ListenAddress.DEFAULT + " or an address");
      refusal.initCause(unknown);
      throw refusal;
    }
  }

  private static String sizeOf(NodeSettings settings) {
    return "valid; collection patterns: "
        + settings.config().collections().size()
        + ", services: "
        + settings.config().services().size();
  }
}
