package dev.tempest.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What there is to do with configuration files without starting anything. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = "Checks configuration files, and says what they may contain.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ConfigValidateCommand.class, ConfigSchemaCommand.class},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:well",
      "64:wrong usage",
      "70:a bug in Tempest",
      "78:the configuration cannot work"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest config validate",
      "  tempest config validate production.yaml",
      "  tempest config schema > tempest.schema.json"
    })
final class ConfigCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command, validate or schema?");
  }
}
