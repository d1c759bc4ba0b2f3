package dev.tempest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Optional;
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
      bind: 127.0.0.1
      port: 7600-7610
      multicast: off
      loopback: off
      seeds:
        - 10.0.0.1
        - 10.0.0.2:7500
      dns: shop.default.svc.cluster.local
      expel-after: 10s
      collections:
        carts: {preset: eventual, time-to-live: 30m, idle: 500ms, max-size: 100k}
        session-*: {idle: 1h}
        "*":
          max-size: 2M
      """;

  @TempDir private Path folder = Path.of("");

  @Test
  void readsEveryKey() {
    NodeConfig config = parse(EVERY_KEY, Map.of()).config();

    assertThat(config)
        .isEqualTo(
            new NodeConfig(
                "shop",
                "till-3",
                "127.0.0.1",
                new PortRange(7_600, 7_610),
                new Discovery(
                    0,
                    false,
                    List.of(new HostPort("10.0.0.1", 7_600), new HostPort("10.0.0.2", 7_500)),
                    Optional.of(new HostPort("shop.default.svc.cluster.local", 7_600))),
                Duration.ofSeconds(10),
                List.of(
                    new CollectionRule(
                        "carts",
                        new CollectionConfig(
                            Preset.EVENTUAL,
                            Duration.ofMinutes(30),
                            Duration.ofMillis(500),
                            100_000)),
                    new CollectionRule(
                        "session-*", CollectionConfig.DEFAULT.withIdle(Duration.ofHours(1))),
                    new CollectionRule("*", CollectionConfig.DEFAULT.withMaxSize(2_000_000)))));
  }

  @Test
  void theEnvironmentGoesBeforeTheFile() {
    NodeConfig config =
        parse(
                EVERY_KEY,
                Map.of(
                    "TEMPEST_CLUSTER", "b",
                    "TEMPEST_NAME", "none",
                    "TEMPEST_BIND", "private",
                    "TEMPEST_PORT", "7500",
                    "TEMPEST_MULTICAST", "45000",
                    "TEMPEST_LOOPBACK", "on",
                    "TEMPEST_SEEDS", "10.0.0.3, [fd00::1]:7501",
                    "TEMPEST_DNS", "none",
                    "TEMPEST_EXPEL_AFTER", "2s"))
            .config();

    assertThat(config.collections()).hasSize(3);
    assertThat(config)
        .isEqualTo(
            new NodeConfig(
                "b",
                "",
                NodeConfig.BIND_PRIVATE,
                PortRange.of(7_500),
                new Discovery(
                    45_000,
                    true,
                    List.of(new HostPort("10.0.0.3", 7_500), new HostPort("fd00::1", 7_501)),
                    Optional.empty()),
                Duration.ofSeconds(2),
                config.collections()));
  }

  @Test
  void saysOfEachValueWhereItWasWritten() {
    NodeSettings settings = parse(EVERY_KEY, Map.of("TEMPEST_NAME", "x", "TEMPEST_DNS", ""));

    assertThat(settings.file()).hasValue("test.yaml");
    assertThat(settings.node())
        .hasSize(9)
        .contains(
            new Setting("cluster", "shop", "test.yaml line 1"),
            new Setting("name", "x", "environment variable TEMPEST_NAME"),
            new Setting("seeds", "10.0.0.1, 10.0.0.2:7500", "test.yaml line 8"),
            new Setting("dns", "shop.default.svc.cluster.local", "test.yaml line 10"));
    assertThat(settings.collection("session-7"))
        .containsExactly(
            new Setting("pattern", "session-*", "test.yaml line 14"),
            new Setting("preset", "session", "default"),
            new Setting("time-to-live", "none", "default"),
            new Setting("idle", "1h", "test.yaml line 14"),
            new Setting("max-size", "none", "default"));
    assertThat(settings.collection("orders"))
        .contains(
            new Setting("pattern", "*", "test.yaml line 15"),
            new Setting("max-size", "2M", "test.yaml line 16"));
  }

  @Test
  void withoutFileAndEnvironmentTheDefaultsApply() {
    NodeSettings settings = NodeSettings.load(folder, NO_CLASS_PATH, Map.of("PATH", "/bin"));

    assertThat(settings.config()).isEqualTo(NodeConfig.defaults());
    assertThat(settings.file()).isEmpty();
    assertThat(settings.node()).allMatch(setting -> setting.where().equals("default"));
    assertThat(settings.collection("carts"))
        .first()
        .isEqualTo(new Setting("pattern", "none", "no pattern fits"));
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
          "*": {preset: session, time-to-live: none, idle: none, max-size: none}
        """;

    NodeConfig config = parse(collection, environment).config();
    assertThat(config)
        .isEqualTo(NodeConfig.defaults().withCollection("*", CollectionConfig.DEFAULT));
    assertThat(parse(collection, Map.of()).collection("a"))
        .extracting(Setting::value)
        .endsWith(Key.ofCollection().stream().map(Key::defaultText).toArray(String[]::new));
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
          clutser: shop              | unknown key 'clutser'; test.yaml line 2; did you mean 'cluster'?
          name: b                    | the key 'name' is there twice; test.yaml line 2
          cluster: -x                | '-x' is no name of a cluster
          bind: 0.0.0.0              | 'private' stands for all that are not public; test.yaml line 2; write bind: private
          bind: 8.8.8.8              | a node cannot listen on 8.8.8.8
          port: 7500-                | '7500-' is neither a port nor a range of ports; test.yaml line 2; write port: 7500, or
          port: 7500-7000            | are no range
          multicast: on              | 'on' is not a number; test.yaml line 2; write multicast: off, or
          multicast: 0               | port 0 is not between
          loopback: yes              | 'yes' is neither on nor off; test.yaml line 2; write loopback: on, or off
          seeds: 10.0.0.1            | 'seeds' is not a list; test.yaml line 2
          seeds: [10.0.0.1, 8.8.8.8] | a node cannot look for others at 8.8.8.8, because
          seeds: [a:b]               | 'a:b' is not host:port
          dns: a b                   | 'a b' is not host:port; test.yaml line 2; write dns:
          expel-after: 10            | '10' is not a time with a unit (ms, s, m, h or d); test.yaml line 2
          expel-after: 1s            | silent members are expelled after 2 s to 1 day, not PT1S
          collections: [a]           | here should be keys with values; test.yaml line 2; write name: {preset: ...}
          collections: {a: }         | here should be keys with values; test.yaml line 2; the keys are preset
          collections: {A: {}}       | 'A' is no pattern of collections
          collections: {a: {prest: session}}     | unknown key 'prest'; test.yaml line 2; did you mean 'preset'?
          collections: {a: {preset: sesion}}     | unknown preset 'sesion'; test.yaml line 2; did you mean 'session'?
          collections: {a: {time-to-live: 0s}}   | an entry does not live for 0s
          collections: {a: {idle: 999999d}}      | the idle time is 1 ms to 36500 days
          collections: {a: {max-size: 0}}        | a collection does not have at most 0 entries
          collections: {a: {max-size: 2G}}       | '2G' is not a number of entries; test.yaml line 2; write max-size: 100000
          collections: {*: {}}       | write a star in quotes: "*"
          *: {}                      | write a star in quotes: "*"
          cluster: "a                | this is not YAML
          """)
  void refusesWhatCannotWorkSayingWhatWhereAndWhatToDo(String line, String message) {
    assertThatThrownBy(() -> parse("name: a\n" + line + "\n", Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void saysAllThatIsWrongAtOnce() {
    String file =
        """
        clutser: shop
        port: high
        collections:
          a: {preset: sesion, max-size: many}
          B: {idel: 1h}
        """;

    assertThatThrownBy(() -> parse(file, Map.of("TEMPEST_SEED", "a", "TEMPEST_DNS", "a b")))
        .isInstanceOf(ConfigException.class)
        .message()
        .satisfies(message ->
            assertThat(message.lines())
                .hasSize(8)
                .anyMatch(line -> line.contains("environment; did you mean TEMPEST_SEEDS?"))
                .anyMatch(line -> line.contains("environment variable TEMPEST_DNS"))
                .anyMatch(line -> line.contains("test.yaml line 1"))
                .anyMatch(line -> line.contains("test.yaml line 2"))
                .anyMatch(line -> line.contains("'sesion'; test.yaml line 4"))
                .anyMatch(
                    line -> line.contains("'many' is not a number of entries; test.yaml line 4"))
                .anyMatch(line -> line.contains("unknown key 'idel'; test.yaml line 5"))
                .anyMatch(line -> line.contains("'B' is no pattern of collections")));
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
        .isEqualTo(NodeConfig.defaults());
  }

  @Test
  void theFileOfAServerIsRefusedAsSuch() {
    assertThatThrownBy(() -> parse("services: [{name: cart, class: a.Cart}]\n", Map.of()))
        .hasMessageContaining(
            "unknown key 'services'; test.yaml line 1; it is a key of servers, and this is read as"
                + " the file of a node");
  }

  @Test
  void aFileThatIsNamedButNotThereIsRefused() {
    assertThatThrownBy(
            () -> NodeSettings.load(folder, NO_CLASS_PATH, Map.of("TEMPEST_CONFIG", "none.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("there is no such configuration file; ")
        .hasMessageContaining("none.yaml; name a file with TEMPEST_CONFIG");
  }

  private NodeSettings parse(String yaml, Map<String, String> environment) {
    return new NodeReader(environment).read(new ConfigFile("test.yaml", yaml));
  }
}
