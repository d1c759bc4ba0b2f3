package dev.tempest.cli;

import dev.tempest.config.ConfigException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code tempest}. */
@Command(
    name = "tempest",
    versionProvider = Main.Version.class,
    mixinStandardHelpOptions = true,
    description = "Keeps the state of services alive.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      ServerCommand.class,
      CallCommand.class,
      StatusCommand.class,
      SimulateCommand.class,
      ExplainCommand.class,
      ConfigCommand.class,
      CompletionCommand.class
    },
    exitCodeListHeading = "%nExit codes of all commands; the help of each says what they mean:%n",
    exitCodeList = {
      " 0:success",
      " 1:done, and the answer is no",
      " 2:nobody can tell whether it was done",
      "64:wrong usage",
      "69:no node answers, a port is taken, or there is no Java 21",
      "70:a bug in Tempest",
      "78:the configuration cannot work"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tempest demo                     watch a cluster survive, in half a minute",
      "  tempest demo --keep              the same, and try it yourself afterwards",
      "  tempest COMMAND --help           options, examples and exit codes of a command"
    })
public final class Main implements Runnable {
  /** With it, errors that are bugs come with their stack trace. */
  private static final String DEBUG = "TEMPEST_DEBUG";

  /** One line per message, unless somebody has chosen otherwise. */
  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  /** The version that the build wrote into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "tempest " + (version == null ? "(not from a jar)" : version),
        "Java " + Runtime.version() + ", " + System.getProperty("os.name")
      };
    }
  }

  /** Runs the command line and exits with its code. */
  public static void main(String[] arguments) {
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "%1$tF %1$tT %4$s %5$s%6$s%n");
    }
    System.exit(execute(arguments));
  }

  private static int execute(String... arguments) {
    try {
      return commandLine().execute(arguments);
    } catch (Error bug) { // Else the JVM would end with 1, which means no.
      bug.printStackTrace();
      return ExitCode.BUG;
    }
  }

  /** The command line, with the commands of all modules that are there. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Main());
    ServiceLoader.load(ExtraCommand.class).forEach(line::addSubcommand);
    line.setParameterExceptionHandler(Main::usage);
    line.setExecutionExceptionHandler(Main::failure);
    line.setAbbreviatedSubcommandsAllowed(false);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpWidth(Terminal.width());
    line.setUsageHelpLongOptionsMaxWidth(24);
    if (System.getenv("NO_COLOR") != null) {
      line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    }
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  private static int usage(ParameterException first, String[] arguments) {
    CommandLine line = first.getCommandLine();
    ParameterException e =
        first instanceof MissingParameterException
            ? unknownOption(line, arguments).<ParameterException>map(found -> found).orElse(first)
            : first;
    PrintWriter err = line.getErr();
    String name = line.getCommandSpec().qualifiedName();
    String what = String.valueOf(e.getMessage()).lines().findFirst().orElse("wrong usage");
    err.println("tempest: " + what + (what.endsWith("?") ? "" : ".") + " See " + name + " --help");
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      err.println("  did you mean: " + String.join(", ", unmatched.getSuggestions()) + "?");
    }
    err.flush();
    return ExitCode.USAGE;
  }

  /** Whoever mistypes an option wants to know that, not what is missing without it. */
  private static Optional<UnmatchedArgumentException> unknownOption(
      CommandLine line, String[] arguments) {
    Set<String> known = line.getCommandSpec().optionsMap().keySet();
    return Arrays.stream(arguments)
        .takeWhile(argument -> !argument.equals("--"))
        .filter(argument -> argument.startsWith("--"))
        .filter(argument -> !known.contains(argument.replaceFirst("=.*", "")))
        .findFirst()
        .map(argument -> new UnmatchedArgumentException(line, List.of(argument)));
  }

  private static int failure(Exception e, CommandLine line, ParseResult result) {
    PrintWriter err = line.getErr();
    switch (e) {
      case CommandException command -> explain(command, err);
      case ConfigException config -> explain(config, err);
      default -> report(e, err);
    }
    err.flush();
    return switch (e) {
      case CommandException command -> command.exitCode();
      case ConfigException config -> ExitCode.CONFIG;
      default -> ExitCode.BUG;
    };
  }

  private static void explain(Exception e, PrintWriter err) {
    String.valueOf(e.getMessage()).lines().forEach(text -> err.println("tempest: " + text));
  }

  private static void report(Exception bug, PrintWriter err) {
    StackTraceElement[] trace = bug.getStackTrace();
    String place = trace.length == 0 ? "somewhere" : trace[0].toString();
    err.println(
        "tempest: this is a bug in Tempest: "
            + bug
            + " at "
            + place
            + ". Please report it with the stack trace that "
            + DEBUG
            + "=1 prints");
    if (System.getenv(DEBUG) != null) {
      bug.printStackTrace(err);
    }
  }
}
