package dev.tempest.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Prints a script that makes a shell complete commands and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints a script that makes a shell complete commands and options.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:printed", "64:wrong usage", "70:a bug in Tempest"},
    footerHeading = "%nExamples, for the file that the shell reads when it starts:%n",
    footer = {
      "  source <(tempest completion bash)        in ~/.bashrc",
      "  source <(tempest completion zsh)         in ~/.zshrc, after compinit",
      "  tempest completion fish | source         in ~/.config/fish/config.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  /** A shell for which there is a script. */
  enum Shell {
    BASH,
    ZSH,
    FISH;

    /** As people write it, so that errors name what they may write. */
    static final class Converter implements ITypeConverter<Shell> {
      @Override
      public Shell convert(String word) {
        return Arrays.stream(values())
            .filter(shell -> shell.name().equalsIgnoreCase(word))
            .findFirst()
            .orElseThrow(() ->
                new TypeConversionException("expected bash, zsh or fish, but was '" + word + "'"));
      }
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      index = "0",
      paramLabel = "SHELL",
      converter = Shell.Converter.class,
      description = "bash, zsh or fish.")
  private Shell shell = Shell.BASH;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CommandSpec root = spec.root();
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        switch (shell) {
          // One script: in zsh it uses the completion of bash.
          case BASH, ZSH -> AutoComplete.bash(root.name(), root.commandLine());
          case FISH -> FishCompletion.of(root);
        });
    out.flush();
    return ExitCode.OK;
  }
}
