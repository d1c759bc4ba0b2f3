package dev.tempest.cli;

import dev.tempest.config.file.NodeSettings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the JSON Schema of {@code tempest.yaml}. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = "Prints the JSON Schema of tempest.yaml, for completion and checks in editors.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:printed", "64:wrong usage", "70:a bug in Tempest"},
    footerHeading = "%nExample; then write as the first line of tempest.yaml:%n",
    footer = {
      "  tempest config schema > tempest.schema.json",
      "  # yaml-language-server: $schema=tempest.schema.json"
    })
final class ConfigSchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(NodeSettings.schema());
    out.flush();
    return ExitCode.OK;
  }
}
