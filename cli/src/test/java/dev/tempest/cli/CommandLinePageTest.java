package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The page of the command line has every command with every option, and no other. */
final class CommandLinePageTest {
  private static final Pattern OPTION = Pattern.compile("^\\| `(--[a-z-]+)", Pattern.MULTILINE);
  private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":");
  private static final Set<String> EVERYWHERE = Set.of("--help", "--version");

  private final String page = DocPage.of("docs/reference/command-line.md").text();

  @Test
  void hasEveryCommandWithItsOptions() {
    assertThat(Main.commandLine().getSubcommands().values().stream().filter(this::isOurs))
        .hasSizeGreaterThan(5)
        .allSatisfy(command ->
            assertThat(optionsOnThePage(command.getCommandName())).isEqualTo(options(command)));
  }

  @Test
  void hasTheExitCodesInTheWordsOfTheHelp() {
    assertThat(Main.commandLine().getCommandSpec().usageMessage().exitCodeList())
        .isNotEmpty()
        .allSatisfy((code, meaning) ->
            assertThat(page).contains("| %s | %s |".formatted(code.strip(), meaning)));
  }

  @Test
  void hasEveryFieldOfTheJsonOfStatus() {
    assertThat(FIELD.matcher(StatusCommandTest.json()).results().map(field -> field.group(1)))
        .contains("whole", "lagMillis")
        .filteredOn(field -> !field.equals("malformed")) // A kind of drops.
        .allSatisfy(field -> assertThat(page).contains("`" + field + "`"));
  }

  /** Benchmarks are commands of another module. */
  private boolean isOurs(CommandLine command) {
    return command.getCommand().getClass().getPackage().equals(Main.class.getPackage());
  }

  private Set<String> optionsOnThePage(String command) {
    int start = page.indexOf("## " + command + "\n");
    assertThat(start).as(command).isPositive();
    String section = page.substring(start, page.indexOf("\n## ", start));
    var options = new TreeSet<String>();
    OPTION.matcher(section).results().map(option -> option.group(1)).forEach(options::add);
    return options;
  }

  private static Set<String> options(CommandLine command) {
    var options = new TreeSet<String>();
    Stream.concat(Stream.of(command), command.getSubcommands().values().stream())
        .flatMap(one -> one.getCommandSpec().options().stream())
        .filter(option -> !option.hidden())
        .map(OptionSpec::longestName)
        .filter(option -> !EVERYWHERE.contains(option))
        .forEach(options::add);
    return options;
  }
}
