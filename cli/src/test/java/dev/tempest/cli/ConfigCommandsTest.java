package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.config.ConfigException;
import dev.tempest.config.file.NodeSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The commands explain, config validate and config schema. */
final class ConfigCommandsTest {
  private static final String FILE =
      """
      cluster: shop
      collections:
        carts:
          preset: eventual
          time-to-live: 30m
        session-*: {max-size: 100k}
      """;

  private static final String MEMBERS = "members: [10.0.0.1, 10.0.0.2, 10.0.0.3]\n";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("shop.yaml"), FILE);
  }

  @Test
  void explainsACollectionLineByLine() {
    assertThat(run("explain", "carts", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .containsExactly(
            "carts, by " + file,
            "",
            "              value     written",
            "pattern       carts     " + file + " line 3",
            "preset        eventual  " + file + " line 4",
            "time-to-live  30m       " + file + " line 5",
            "idle          none      default",
            "max-size      none      default",
            "acks          1         default",
            "consistency   eventual  default",
            "",
            "eventual: every node decides putIfAbsent, replace, and remove with an expected",
            "value in the one order of all writes; of other writes to one key the later one",
            "wins; counters and registered merges add up.");
  }

  @Test
  void anExplanationFitsANarrowTerminal() {
    NodeSettings settings = NodeSettings.read(file);
    assertThat(ExplainCommand.lines(settings, "carts", 40))
        .contains("pattern       carts", "              " + file + " line 3")
        .filteredOn(line -> !line.contains(file.toString()))
        .allMatch(line -> line.length() <= 40);
  }

  @Test
  void explainsACollectionThatNoPatternFits() {
    assertThat(run("explain", "orders", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("pattern +none +no pattern and no service fits\n")
        .containsPattern("preset +session +default\n")
        .contains("session: the calling node executes");
  }

  @Test
  void explainsALinearizableCollectionWithoutWhatAPresetSays() throws IOException {
    Files.writeString(
        file, "members: [10.0.0.1]\ncollections: {stock: {consistency: linearizable}}\n");

    assertThat(run("explain", "stock", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("acks +none +default\n")
        .containsPattern("consistency +linearizable\\s+" + file + " line 2\n")
        .contains("linearizable: a majority agrees on each write before it returns")
        .doesNotContain("the later one wins");
  }

  @Test
  void explainsTheNode() {
    assertThat(run("explain", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("cluster +shop\\s+" + file + " line 1\n")
        .containsPattern("listen +private:7400-7499 +default\n")
        .containsPattern("collections +carts, session-\\*\\s+" + file + " line 2\n")
        .doesNotContain("preset");
  }

  @Test
  void explainsAServiceLineByLine() throws IOException {
    Files.writeString(
        file,
        MEMBERS
            + """
            services:
              - name: Bank
                class: com.example.BankService
                unchecked: [com.example.Metrics, org.slf4j]
                consistency: state-machine
                ballots: fast
            """);
    assertThat(run("explain", "Bank", "--config", file.toString()))
        .as("%s", err)
        .isEqualTo(ExitCode.OK);
    assertThat(words(out.toString()))
        .containsExactly(
            "service Bank, by " + file,
            "",
            " value written",
            "name Bank line 3",
            "class com.example.BankService line 4",
            "jar none default",
            "unchecked com.example.Metrics, org.slf4j line 5",
            "reconcile merge default",
            "execute all line 6",
            "consistency state-machine line 6",
            "reads linearizable default",
            "ballots fast line 7",
            "",
            "linearizable: a majority agrees on each update before it returns, and reads show",
            "every earlier update.");
  }

  /**
   * The lines, each with single spaces, and places without the file, on whichever line they are.
   */
  private List<String> words(String text) {
    return text.replaceAll("\\s+" + Pattern.quote(file.toString()) + " line", " line")
        .replaceAll(" +", " ")
        .lines()
        .toList();
  }

  @Test
  void defaultsOfAServiceFollowItsConsistency() throws IOException {
    Files.writeString(
        file,
        MEMBERS
            + """
            services:
              - {name: a, class: A}
              - {name: b, class: B, consistency: primary-backup, reads: stale}
            """);
    assertThat(run("explain", "a", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(words(out.toString()))
        .contains("execute all default", "reads session default")
        .contains("eventual: updates are executed at once, and servers agree on their order");
    out.getBuffer().setLength(0);
    assertThat(run("explain", "b", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(words(out.toString()))
        .contains("execute leader default", "reads stale line 4")
        .contains("both in memory, and reads show what is known where they are answered.");
  }

  @Test
  void aNameOfACollectionAndAServiceShowsBoth() throws IOException {
    Files.writeString(
        file, "collections: {\"*\": {}}\nservices: [{name: a, class: A}, {name: B, class: A}]\n");
    assertThat(run("explain", "B", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).doesNotContain("pattern"); // No collection can have this name.
    out.getBuffer().setLength(0);
    assertThat(run("explain", "a", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).contains("service a, by " + file, "a, by " + file);
    out.getBuffer().setLength(0);
    assertThat(run("explain", "a", "--json", "--config", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("{\"file\":\"%s\",\"service\":{\"name\":\"a\",\"settings\":[".formatted(file))
        .contains(
            "seen.\"},\"collection\":\"a\",\"settings\":[{\"key\":\"pattern\",\"value\":\"*\"");
  }

  @Test
  void explainsAsJson() {
    assertThat(run("explain", "session-1", "--json", "--config", file.toString()))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith(
            "{\"file\":\"%1$s\",\"collection\":\"session-1\",\"settings\":[".formatted(file)
                + "{\"key\":\"pattern\",\"value\":\"session-*\",\"where\":\"%s line 6\"},"
                    .formatted(file)
                + "{\"key\":\"preset\",\"value\":\"session\",\"where\":\"default\"},")
        .contains("],\"guarantee\":\"session: the calling node");
  }

  @Test
  void aPatternIsNoCollection() {
    assertThat(run("explain", "session-*")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("tempest: invalid collection name 'session-*'")
        .contains(" (argument NAME). Name a collection");
  }

  @Test
  void validatesFilesByThemselves() throws IOException {
    Path server =
        Files.writeString(
            folder.resolve("server.yaml"),
            "services: [{name: cart, class: dev.tempest.examples.cart.ShoppingCartService}]\n");

    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(run("config", "validate", server.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .containsExactly(
            file + ": valid; collection patterns: 2, services: 0",
            server + ": valid; collection patterns: 0, services: 1");
  }

  /** It may be a mistyped port: "7400x". */
  @Test
  void refusesAHostToListenOnThatThisMachineDoesNotKnow() throws IOException {
    Files.writeString(file, "listen: gone.invalid\n");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> ConfigValidateCommand.requireKnownHost(NodeSettings.read(file)))
        .withMessage(
            file
                + " line 1: unknown host 'gone.invalid'. Check its spelling, or write"
                + " private:7400-7499 or an address");
    Files.writeString(file, "listen: private:7400\n");
    ConfigValidateCommand.requireKnownHost(NodeSettings.read(file));
    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.OK);
  }

  @Test
  void saysThatALogWouldStoreNothing() throws IOException {
    String stored = "checkpoint-folder: /var/lib/shop\nlog: disk\nmembers: [10.0.0.1]\n";
    Files.writeString(file, stored + "collections: {stock: {acks: 2}}\n");
    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines())
        .satisfiesExactly(
            valid -> assertThat(valid).startsWith(file + ": valid"),
            said -> assertThat(said).startsWith(file + " line 2: log: disk stores nothing of"));
    out.getBuffer().setLength(0);
    Files.writeString(file, stored + "collections: {stock: {consistency: linearizable}}\n");
    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).hasSize(1);
  }

  @Test
  void saysThatAPrimaryStoresNothing() throws IOException {
    String stored = "checkpoint-folder: /var/lib/shop\nlog: disk\n" + MEMBERS;
    Files.writeString(file, stored + service("primary-backup"));
    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            "log: disk stores nothing of what is configured here: primary-backup is in memory")
        .doesNotContain("none of it is linearizable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lease", "local"})
  void saysThatNoCollectionIsReadSo(String reads) throws IOException {
    Files.writeString(file, "reads: " + reads + "\n" + MEMBERS + service("linearizable"));
    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines().skip(1))
        .containsExactly(
            file
                + " line 1: reads: %1$s is for linearizable collections, and there are none here."
                    .formatted(reads)
                + " For a service write reads: %s under the service".formatted(reads));
    out.getBuffer().setLength(0);
    Files.writeString(
        file,
        "reads: " + reads + "\n" + MEMBERS + "collections: {a: {consistency: linearizable}}\n");
    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).hasSize(1);
  }

  private static String service(String consistency) {
    return "services: [{name: cart, class: dev.tempest.examples.cart.ShoppingCartService,"
        + " consistency: %s}]\n".formatted(consistency);
  }

  @Test
  void everythingThatIsWrongIsALineOfItsOwn() throws IOException {
    Files.writeString(file, "clutser: shop\nlisten: a/b\ncollections: {a: {preset: evental}}\n");

    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.CONFIG);
    assertThat(err.toString().lines())
        .containsExactly(
            "tempest: "
                + file
                + " line 1: unknown key 'clutser'. Did you mean 'cluster'? (known: cluster, name,"
                + " listen, advertise, allow, multicast, loopback, seeds, dns, members,"
                + " expel-after, shutdown-hook, checkpoint-folder, checkpoint-every, log, acks,"
                + " deadline, max-ahead, reads, http, http-advertise, collections, services)",
            "tempest: "
                + file
                + " line 2: 'a/b' is neither host nor host:port. Write listen: private:7400,"
                + " 10.0.0.1:7400-7409, or 127.0.0.1",
            "tempest: "
                + file
                + " line 3: unknown preset 'evental'. Did you mean 'eventual'? (known: session,"
                + " eventual)");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void servicesAreLoadedAsAServerLoadsThem() throws IOException {
    Files.writeString(
        file,
        """
        services:
          - {name: cart, class: com.example.Nowhere}
          - {name: line, class: dev.tempest.examples.cart.CartLine}
        """);

    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.CONFIG);
    assertThat(err.toString().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        "tempest: "
                            + file
                            + " line 2: class com.example.Nowhere not found on the class path. "),
            line ->
                assertThat(line)
                    .startsWith(
                        "tempest: "
                            + file
                            + " line 3: dev.tempest.examples.cart.CartLine cannot be hosted"));
  }

  /** They would be two of three, and the third one alone is no majority. */
  @Test
  void twoNamesOfOneMemberCannotWork() throws IOException {
    Files.writeString(
        file,
        """
        members: [127.0.0.1:8100, localhost:8100, 127.0.0.1:8101]
        collections: {stock: {consistency: linearizable}}
        """);

    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.CONFIG);
    assertThat(err.toString())
        .startsWith(
            "tempest: members: collections are linearizable, and the members '127.0.0.1:8100' and"
                + " 'localhost:8100' are one process, 127.0.0.1:8100: list it once.");
  }

  @Test
  void whoIsNoMemberOfItsOwnListCannotWork() throws IOException {
    Files.writeString(file, "listen: 127.0.0.1:8100\nmembers: [127.0.0.1:8101]\n");

    assertThat(run("config", "validate", file.toString())).isEqualTo(ExitCode.CONFIG);
    assertThat(err.toString())
        .startsWith(
            "tempest: members: this process listens on 127.0.0.1:8100, which is none of the"
                + " members.");
  }

  @Test
  void validatesWhatANodeStartedHereWouldRead() {
    assertThat(run("config", "validate")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).startsWith("no tempest.yaml here: the defaults apply");
  }

  @Test
  void aFileThatIsNotThereCannotWork() {
    assertThat(run("config", "validate", "none.yaml")).isEqualTo(ExitCode.CONFIG);
    assertThat(err.toString()).startsWith("tempest: none.yaml: configuration file not found. ");
  }

  @Test
  void printsTheSchema() {
    assertThat(run("config", "schema")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEqualTo(NodeSettings.schema()).startsWith("{");
  }

  @Test
  void configAloneIsAUsageError() {
    assertThat(run("config")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("which command, validate or schema? See tempest config --help");
  }

  @Test
  void theirHelpFitsATerminal() {
    assertThat(run("config", "validate", "--help")).isEqualTo(ExitCode.OK);
    assertThat(run("config", "schema", "--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80, "80 columns");
    assertThat(out.toString())
        .contains("Usage: tempest config validate", "Usage: tempest config schema");
  }

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
