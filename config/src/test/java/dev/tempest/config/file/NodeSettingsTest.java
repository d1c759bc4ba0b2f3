package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tempest.config.CheckpointConfig;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.ConfigException;
import dev.tempest.config.Consistency;
import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.config.ServiceOptions.Reconcile;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeSettingsTest {
  private static final ClassLoader NO_CLASS_PATH = new URLClassLoader(new URL[0], null);

  private static final String EVERY_KEY =
      """
      cluster: shop
      name: till-3
      listen: 127.0.0.1:7600-7610
      advertise: 10.0.0.9
      allow: [203.0.113.0/24]
      multicast: off
      loopback: off
      seeds:
        - 10.0.0.1
        - 10.0.0.2:7500
      dns: shop.default.svc.cluster.local
      expel-after: 10s
      shutdown-hook: off
      checkpoint-folder: /var/lib/shop
      checkpoint-every: 30s
      log: disk
      acks: 2
      deadline: 3s
      max-ahead: 5k
      reads: local
      services:
        - {name: cart, class: a.Cart, execute: any, reconcile: adopt, unchecked: [org.slf4j, b.C]}
        - {name: clicks, class: a.Clicks}
      collections:
        carts: {preset: eventual, time-to-live: 30m, idle: 500ms, max-size: 100k, acks: 3}
        session-*: {idle: 1h}
        "*":
          max-size: 2M
      """;

  @TempDir private Path folder = Path.of("");

  @Test
  void readsEveryKey() {
    NodeConfig config = parse(EVERY_KEY, Map.of()).config();

    assertThat(config)
        .usingRecursiveComparison()
        .ignoringFields("services")
        .isEqualTo(
            NodeConfig.builder()
                .cluster("shop")
                .name("till-3")
                .listen("127.0.0.1:7600-7610")
                .advertise("10.0.0.9")
                .allow("203.0.113.0/24")
                .multicastPort(0)
                .loopback(false)
                .seeds("10.0.0.1:7600", "10.0.0.2:7500")
                .dns("shop.default.svc.cluster.local:7600")
                .expelAfter(Duration.ofSeconds(10))
                .shutdownHook(false)
                .checkpointFolder("/var/lib/shop")
                .checkpointEvery(Duration.ofSeconds(30))
                .log(CheckpointConfig.Log.DISK)
                .acks(2)
                .deadline(Duration.ofSeconds(3))
                .maxAhead(5_000)
                .reads(Reads.LOCAL)
                .collection(
                    "carts",
                    CollectionConfig.builder()
                        .preset(Preset.EVENTUAL)
                        .timeToLive(Duration.ofMinutes(30))
                        .idle(Duration.ofMillis(500))
                        .maxSize(100_000)
                        .acks(3)
                        .build())
                .collection(
                    "session-*", CollectionConfig.builder().idle(Duration.ofHours(1)).build())
                .collection("*", CollectionConfig.builder().maxSize(2_000_000).build())
                .build());
    assertThat(config.services())
        .extracting(
            ServiceConfig::name,
            ServiceConfig::className,
            service -> service.options().execute(),
            service -> service.options().reconcile(),
            service -> service.options().unchecked())
        .containsExactly(
            tuple("cart", "a.Cart", Execute.ANY, Reconcile.ADOPT, List.of("org.slf4j", "b.C")),
            tuple("clicks", "a.Clicks", Execute.ALL, Reconcile.MERGE, List.of()));
  }

  @Test
  void ofALinearizableServiceTheLeaderExecutesUnlessOthersAreTo() {
    NodeConfig config =
        parse(
                """
                members: [10.0.0.1:7400]
                services:
                  - {name: a, class: A, consistency: linearizable}
                  - {name: b, class: B, consistency: linearizable, execute: leader}
                  - {name: c, class: C, consistency: linearizable, execute: all}
                  - {name: d, class: D, consistency: replicated}
                  - {name: e, class: E, consistency: state-machine}
                """,
                Map.of())
            .config();
    assertThat(config.services())
        .extracting(service -> service.options().execute())
        .containsExactly(Execute.LEADER, Execute.LEADER, Execute.ALL, Execute.ANY, Execute.ALL);
    assertThat(config.services())
        .extracting(service -> service.options().consistency())
        .containsOnly(Consistency.LINEARIZABLE);
  }

  @Test
  void aJarIsFoundBesideTheFile() throws IOException {
    Path jar = Files.createFile(Files.createDirectory(folder.resolve("lib")).resolve("cart.jar"));
    Path file = folder.resolve("shop.yaml");
    Files.writeString(file, "services: [{name: cart, class: a.Cart, jar: lib/cart.jar}]\n");

    assertThat(NodeSettings.read(file).config().services().getFirst().jar()).hasValue(jar);
    Files.delete(jar);
    assertThatThrownBy(() -> NodeSettings.read(file))
        .hasMessageContaining("shop.yaml line 1: jar " + jar + " not found. Write jar: ");
  }

  @Test
  void theEnvironmentGoesBeforeTheFile() {
    NodeConfig config =
        parse(
                EVERY_KEY,
                Map.of(
                    "TEMPEST_CLUSTER", "b",
                    "TEMPEST_NAME", "none",
                    "TEMPEST_LISTEN", "private:7500",
                    "TEMPEST_ADVERTISE", "none",
                    "TEMPEST_MULTICAST", "45000",
                    "TEMPEST_SEEDS", "none",
                    "TEMPEST_DNS", "none",
                    "TEMPEST_MEMBERS", "10.0.0.3, [fd00::1]:7501",
                    "TEMPEST_EXPEL_AFTER", "2s"))
            .config();

    assertThat(config.collections()).hasSize(3);
    assertThat(config.cluster()).isEqualTo("b");
    assertThat(config.name()).isEmpty();
    assertThat(config.listen()).hasToString("private:7500");
    assertThat(config.advertise(7_500)).isEmpty();
    assertThat(config.multicastPort()).isEqualTo(45_000);
    assertThat(config.seeds()).isEmpty();
    assertThat(config.dns()).isEmpty();
    assertThat(config.members())
        .containsExactly(new HostPort("10.0.0.3", 7_500), new HostPort("fd00::1", 7_501));
    assertThat(config.expelAfter()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void anOptionGoesBeforeTheEnvironment() {
    NodeReader reader =
        new NodeReader(Map.of("TEMPEST_LISTEN", "127.0.0.1:2"), Map.of("listen", "127.0.0.1:3"));
    NodeSettings settings = reader.read(null);

    assertThat(settings.config().listen()).hasToString("127.0.0.1:3");
    assertThat(settings.node()).contains(new Setting("listen", "127.0.0.1:3", "option --listen"));
  }

  @Test
  void saysOfEachValueWhereItWasWritten() {
    NodeSettings settings = parse(EVERY_KEY, Map.of("TEMPEST_NAME", "x", "TEMPEST_DNS", ""));

    assertThat(settings.file()).hasValue("test.yaml");
    assertThat(settings.node())
        .hasSize(23)
        .contains(
            new Setting("cluster", "shop", "test.yaml line 1"),
            new Setting("name", "x", "environment variable TEMPEST_NAME"),
            new Setting("seeds", "10.0.0.1, 10.0.0.2:7500", "test.yaml line 9"),
            new Setting("dns", "shop.default.svc.cluster.local", "test.yaml line 11"),
            new Setting("services", "cart, clicks", "test.yaml line 21"));
    assertThat(settings.collection("session-7"))
        .containsExactly(
            new Setting("pattern", "session-*", "test.yaml line 26"),
            new Setting("preset", "session", "default"),
            new Setting("time-to-live", "none", "default"),
            new Setting("idle", "1h", "test.yaml line 26"),
            new Setting("max-size", "none", "default"),
            new Setting("acks", "2", "test.yaml line 17"),
            new Setting("consistency", "eventual", "default"));
    assertThat(settings.collection("orders"))
        .contains(
            new Setting("pattern", "*", "test.yaml line 27"),
            new Setting("max-size", "2M", "test.yaml line 28"));
  }

  @Test
  void withoutFileAndEnvironmentTheDefaultsApply() {
    NodeSettings settings = NodeSettings.load(folder, NO_CLASS_PATH, Map.of("PATH", "/bin"));

    assertThat(settings.config()).isSameAs(NodeConfig.defaults());
    assertThat(settings.file()).isEmpty();
    assertThat(settings.node()).allMatch(setting -> setting.where().equals("default"));
    assertThat(settings.collection("carts"))
        .first()
        .isEqualTo(new Setting("pattern", "none", "no pattern and no service fits"));
  }

  @Test
  void theDefaultsInWordsAreThoseOfTheCode() {
    Map<String, String> environment = new TreeMap<>();
    for (Setting setting : NodeSettings.load(folder, NO_CLASS_PATH, Map.of()).node()) {
      String variable = "TEMPEST_" + setting.key().replace('-', '_').toUpperCase(Locale.ROOT);
      environment.put(variable, setting.value());
    }
    String collection =
        """
        collections:
          "*":
            {
              preset: session, time-to-live: none, idle: none, max-size: none, acks: none,
              consistency: eventual
            }
        """;

    NodeConfig config = parse(collection, environment).config();
    assertThat(config)
        .usingRecursiveComparison()
        .isEqualTo(NodeConfig.builder().collection("*", CollectionConfig.defaults()).build());
    assertThat(parse(collection, Map.of()).collection("a"))
        .extracting(Setting::value)
        .endsWith(
            Key.ofCollection().stream()
                .map(key -> key == Key.COLLECTION_ACKS ? Key.ACKS : key)
                .map(Key::defaultText)
                .toArray(String[]::new));
  }

  @Test
  void anotherFileGoesBeforeTheWorkingDirectoryAndThatBeforeTheClassPath() throws IOException {
    Path jar = folder.resolve("app.jar");
    try (OutputStream bytes = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(NodeSettings.FILE));
      zip.write("cluster: of-class-path\n".getBytes(StandardCharsets.UTF_8));
    }
    Path directory = Files.createDirectory(folder.resolve("work"));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      NodeSettings settings = NodeSettings.load(directory, loader, Map.of());
      assertThat(settings.config().cluster()).isEqualTo("of-class-path");
      assertThat(settings.node().getFirst().where()).endsWith("app.jar!/tempest.yaml line 1");

      Files.writeString(directory.resolve("tempest.yaml"), "cluster: of-directory\n");
      assertThat(NodeSettings.load(directory, loader, Map.of()).config().cluster())
          .isEqualTo("of-directory");

      Path other = Files.writeString(folder.resolve("other.yaml"), "cluster: of-variable\n");
      Map<String, String> environment = Map.of("TEMPEST_CONFIG", other.toString());
      assertThat(NodeSettings.load(directory, loader, environment).config().cluster())
          .isEqualTo("of-variable");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          clutser: shop              | test.yaml line 2: unknown key 'clutser'. Did you mean 'cluster'?
          name: b                    | test.yaml line 2: the key 'name' occurs twice
          cluster: -x                | invalid cluster name '-x'
          bind: private              | unknown key 'bind'. Known: cluster, name
          listen: 8.8.8.8            | test.yaml line 2: 8.8.8.8 is neither private nor allowed: without a cluster key, strangers could join from there. Write allow: [203.0.113.0/24, 2001:db8::/32], if only your machines reach it
          listen: private:7500-      | 'private:7500-' is neither host nor host:port. Write listen: private:7400,
          listen: 7400               | '7400' has no host: write private:7400, or the address before it
          advertise: a b             | 'a b' is not host:port. Write advertise: 203.0.113.7:7400, or
          allow: [8.8.8.0/24, a]     | 'a' is neither an IP address nor a network. Write allow: [203
          shutdown-hook: false       | 'false' is neither on nor off. Write shutdown-hook: on, or off
          members: [a:1, a:1]        | test.yaml line 2: the member a:1 is listed twice
          listen: private:7500-7000  | invalid port range 7500-7000
          multicast: on              | test.yaml line 2: 'on' is not a number. Write multicast: off, or
          multicast: 0               | port 0 is not between
          loopback: yes              | test.yaml line 2: 'yes' is neither on nor off. Write loopback: on, or off
          seeds: 10.0.0.1            | test.yaml line 2: 'seeds' is not a list
          seeds: [10.0.0.1, 8.8.8.8] | test.yaml line 2: 8.8.8.8 is neither private nor allowed
          seeds: [a:b]               | 'a:b' is not host:port
          dns: a b                   | test.yaml line 2: 'a b' is not host:port. Write dns:
          expel-after: 10            | test.yaml line 2: '10' is not a time with a unit (ms, s, m, h or d)
          checkpoint-every: 2d       | test.yaml line 2: checkpoints must be written every 1 s to 1 day, not 2 days
          log: ram                   | test.yaml line 2: 'ram' is neither memory, disk nor adaptive
          expel-after: 1s            | silent members must be expelled after 2 s to 1 day, not 1 s
          acks: 0                    | acks must be 1 to 64, not 0. Write acks: 2
          acks: all                  | test.yaml line 2: 'all' is not a number. Write acks: 2
          deadline: 11m              | the deadline of writes must be 1 ms to 10 minutes, not 11 minutes
          collections: {a: {acks: 0}}            | acks must be 1 to 64, not 0
          max-ahead: 0               | ahead by at most 1 to 1M writes, not 0. Write max-ahead: 1000
          max-ahead: 2M              | ahead by at most 1 to 1M writes, not 2000000
          max-ahead: 10s             | test.yaml line 2: '10s' is not a number of entries
          cluster: "a                | the YAML cannot be read
          """)
  void refusesWhatCannotWorkSayingWhatWhereAndWhatToDo(String line, String message) {
    assertRefused(line, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          collections: [a]           | test.yaml line 2: expected keys with values. Write name: {preset: ...}
          collections: {a: }         | test.yaml line 2: expected keys with values. The keys are preset
          collections: {A: {}}       | invalid collection pattern 'A'
          collections: {a: {prest: session}}     | test.yaml line 2: unknown key 'prest'. Did you mean 'preset'?
          collections: {a: {preset: sesion}}     | test.yaml line 2: unknown preset 'sesion'. Did you mean 'session'?
          collections: {a: {time-to-live: 0s}}   | an entry cannot live for 0s
          collections: {a: {idle: 999999d}}      | the idle time must be 1 ms to 36500 days
          collections: {a: {max-size: 0}}        | the maximum size must be 1 to 1000M entries, not 0
          collections: {a: {max-size: 2G}}       | test.yaml line 2: '2G' is not a number of entries. Write max-size: 100000
          collections: {*: {}}       | Write a star in quotes: "*"
          *: {}                      | Write a star in quotes: "*"
          services: [{class: A}]                 | test.yaml line 2: a service without name. Write name: cart
          services: [{name: a}]                  | a service without class. Write class: com.example.CartService
          services: [{name: a, class: 1}]        | '1' is not the name of a class
          services: [{name: a b, class: A}]      | invalid service name 'a b'
          services: [{name: a, class: A, jar: x.jar}]      | /x.jar not found. Write jar: lib/cart.jar
          services: [{name: a, class: A, execute: one}]    | unknown execute 'one'. Known: all, any, leader
          services: [{name: a, class: A, consistency: strong}] | unknown consistency 'strong'. Known: eventual, linearizable, replicated, state-machine
          services: [{name: a, class: A, consistency: replicated, execute: any}] | consistency: replicated says who executes. Leave execute out
          services: [{name: a, class: A, consistency: linearizable}] | service 'a' is linearizable, and no members are listed
          services: [{name: a, class: A, execute: leader}] | an eventual service has no leader to execute it
          services: [{name: a, class: A, consistency: linearizable, reconcile: adopt}] | of a linearizable service its replicas never differ: leave reconcile out
          services: [{name: a, class: A, reads: lease}] | what their CausalChain has seen: leave reads out. Or write consistency: linearizable
          services: [{name: a, class: A, unchecked: [b*]}] | 'b*' is not the name of a class or package
          services: [{name: a, class: A, reconcile: Adopt}] | unknown reconcile 'Adopt'. Did you mean 'adopt'?
          services: [{name: a, class: A}, {name: a, class: B}] | the service 'a' is listed twice
          services: [{name: a, clas: A}]         | unknown key 'clas'. Did you mean 'class'?
          """)
  void refusesCollectionsAndServicesThatCannotWork(String line, String message) {
    assertRefused(line, message);
  }

  private void assertRefused(String line, String message) {
    assertThatThrownBy(() -> parse("name: a\n" + line + "\n", Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void saysAllThatIsWrongAtOnce() {
    String file =
        """
        clutser: shop
        loopback: x
        collections:
          a: {preset: sesion, max-size: many}
          B: {idel: 1h}
        listen: "7400"
        members: [":1", [a], "b:0x", a:1]
        services:
          - {name: 1, class: a b, jar: none.jar}
        """;

    assertThatThrownBy(() -> parse(file, Map.of("TEMPEST_SEED", "a", "TEMPEST_DNS", "a b")))
        .isInstanceOf(ConfigException.class)
        .hasNoCause()
        .hasNoSuppressedExceptions()
        .message()
        .satisfies(message ->
            assertThat(message.lines())
                .zipSatisfy(
                    List.of(
                        "environment: unknown variable TEMPEST_SEED. Did you mean TEMPEST_SEEDS?",
                        "environment variable TEMPEST_DNS: 'a b' is not host:port",
                        "test.yaml line 1: unknown key 'clutser'",
                        "test.yaml line 2: 'x' is neither on nor off",
                        "test.yaml line 4: unknown preset 'sesion'",
                        "test.yaml line 4: 'many' is not a number of entries",
                        "test.yaml line 5: unknown key 'idel'",
                        "test.yaml line 5: invalid collection pattern 'B'",
                        "test.yaml line 6: '7400' has no host",
                        "test.yaml line 7: 'members' is not a single value",
                        "test.yaml line 7: ':1' is not host:port",
                        "test.yaml line 7: 'b:0x' is not host:port",
                        "test.yaml line 9: invalid service name '1'",
                        "test.yaml line 9: 'a b' is not the name of a class",
                        "test.yaml line 9: jar "
                            + Path.of("none.jar").toAbsolutePath()
                            + " not found"),
                    (line, beginning) -> assertThat(line).startsWith(beginning)));
  }

  @Test
  void aFileInAnotherEncodingIsRefused() throws IOException {
    Path file = folder.resolve("latin.yaml");
    Files.write(file, "name: caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> NodeSettings.load(file, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the file is not in UTF-8");
  }

  @Test
  void whatNestsTooDeepIsRefused() {
    assertThatThrownBy(() -> parse("members: " + "[".repeat(20_000), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("test.yaml line 1: the YAML cannot be read (lists and mappings nest");
    assertThatThrownBy(() -> parse("members: " + "[".repeat(60) + "]".repeat(60), Map.of()))
        .hasMessageContaining("'members' is not a single value");
  }

  @Test
  void messagesDoNotEchoAllOfAHugeValue() {
    String huge = "x".repeat(500_000);
    for (String line :
        List.of(
            "cluster: " + huge,
            "acks: " + huge,
            "members: [a:1, " + huge + "]",
            "? " + huge + "\n: 1",
            "collections: {a: {preset: " + huge + "}}",
            "services: [{name: a, class: A, jar: " + huge + "}]")) {
      assertThatThrownBy(() -> parse(line, Map.of()))
          .isInstanceOf(ConfigException.class)
          .message()
          .hasSizeLessThan(2_000);
    }
    assertThatThrownBy(() -> parse("acks: " + huge, Map.of()))
        .hasMessageContaining("x ... x")
        .hasMessageContaining("x' is not a number. Write acks: 2");
  }

  @Test
  void whatIsNotAboutTempestIsNotRefused() {
    Map<String, String> environment =
        Map.of(
            "TEMPEST_HOME", "/opt/tempest",
            "TEMPEST_SERVERS", "10.0.0.1:7400",
            "TEMPEST_JAVA_OPTS", "-Xmx1g",
            "TEMPEST_SERVICE_HOST", "10.0.0.1",
            "TEMPEST_PORT", "tcp://10.0.0.1:7500");

    assertThat(NodeSettings.load(folder, NO_CLASS_PATH, environment).config())
        .usingRecursiveComparison()
        .isEqualTo(NodeConfig.defaults());
  }

  @Test
  void whoHasAListOfMembersDoesNotSearch() {
    assertThatThrownBy(() -> parse("seeds: [a]\nmembers:\n  - a:1\n", Map.of()))
        .hasMessage(
            "test.yaml line 3: members is the whole list, so seeds and dns cannot be used."
                + " Remove seeds and dns, or members");
  }

  @Test
  void aFileThatIsNamedButNotThereIsRefused() {
    assertThatThrownBy(
            () -> NodeSettings.load(folder, NO_CLASS_PATH, Map.of("TEMPEST_CONFIG", "none.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("none.yaml: configuration file not found. Correct TEMPEST_CONFIG");
  }

  private NodeSettings parse(String yaml, Map<String, String> environment) {
    return new NodeReader(environment, Map.of())
        .read(new ConfigFile("test.yaml", Path.of(""), yaml));
  }
}
