package dev.tempest.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import dev.tempest.config.ConfigFile;
import dev.tempest.runtime.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerFileTest {
  private static final String MINIMAL = "services: [{name: cart, class: com.example.Cart}]\n";

  @Test
  void readsEveryKey(@TempDir Path folder) throws IOException {
    Files.createDirectory(folder.resolve("lib"));
    Path jar = Files.createFile(folder.resolve("lib/cart.jar"));
    Path file = folder.resolve("server.yaml");
    Files.writeString(
        file,
        """
        cluster: shop
        listen: 127.0.0.1:7401
        servers:
          - 127.0.0.1:7400
          - 127.0.0.1:7401
          - "[::1]:7402"
        multicast: 7500
        gossip-interval: 250ms
        services:
          - name: cart
            class: com.example.CartService
            jar: lib/cart.jar
          - name: clicks
            class: com.example.Clicks
            execute: any
            unchecked: [com.example.Metrics, org.slf4j]
            reconcile: adopt
        faults:
          drop-percent: 1.5
        """);

    ServerFile contents = ServerFile.read(file, Map.of(), Map.of());
    ServerConfig config = contents.node();

    assertThat(config.cluster()).isEqualTo("shop");
    assertThat(config.self()).isEqualTo("127.0.0.1:7401");
    assertThat(config.bindHost()).isEqualTo("127.0.0.1");
    assertThat(config.servers()).containsExactly("127.0.0.1:7400", "127.0.0.1:7401", "[::1]:7402");
    assertThat(config.multicastPort()).isEqualTo(7500);
    assertThat(config.gossipInterval()).isEqualTo(Duration.ofMillis(250));
    assertThat(contents.services())
        .extracting(HostedService::name)
        .containsExactly("cart", "clicks");
    assertThat(contents.services().getFirst().jar()).hasValue(jar);
    assertThat(contents.services())
        .extracting(HostedService::unchecked)
        .containsExactly(List.of(), List.of("com.example.Metrics", "org.slf4j"));
    assertThat(List.of(config.options("cart").adopts(), config.options("clicks").adopts()))
        .containsExactly(false, true);
    assertThat(List.of(config.options("cart").executeAny(), config.options("clicks").executeAny()))
        .containsExactly(false, true);
    assertThat(config.dropPercent()).isEqualTo(1.5);
  }

  @Test
  void theExampleOfThePageIsRead(@TempDir Path folder) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "reference", "configuration.md"));
    int start = page.indexOf("services:\n");
    String example = page.substring(start, page.indexOf("```", start));
    Files.createDirectory(folder.resolve("lib"));
    Files.createFile(folder.resolve("lib/recommendations.jar"));

    ServerFile file =
        ServerFile.parse(new ConfigFile("example", example), folder, Map.of(), Map.of());

    assertThat(file.node().options("recommendations").executeAny()).isTrue();
  }

  @Test
  void aServiceIsEnough() {
    ServerConfig config = parse(MINIMAL, Map.of(), Map.of()).node();

    assertThat(config.cluster()).isEqualTo("tempest");
    assertThat(config.servers()).containsExactly("127.0.0.1:7400").contains(config.self());
    assertThat(config.multicastPort()).isPositive();
    assertThat(config.dropPercent()).isZero();
  }

  @Test
  void anOptionOverridesTheEnvironmentAndThatTheFile() {
    ServerConfig config =
        parse(
                MINIMAL + "listen: 127.0.0.1:1\ncluster: a\nservers: [127.0.0.1:1]\n",
                Map.of(
                    "TEMPEST_LISTEN", "127.0.0.1:2",
                    "TEMPEST_CLUSTER", "b",
                    "TEMPEST_GOSSIP_INTERVAL", "2s",
                    "TEMPEST_DROP_PERCENT", "3"),
                Map.of("listen", "127.0.0.1:3", "servers", "127.0.0.1:3, 127.0.0.1:4"))
            .node();

    assertThat(config.self()).isEqualTo("127.0.0.1:3");
    assertThat(config.servers()).containsExactly("127.0.0.1:3", "127.0.0.1:4");
    assertThat(config.cluster()).isEqualTo("b");
    assertThat(config.gossipInterval()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.dropPercent()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          clutser: shop                  | unknown key 'clutser'; test.yaml line 2; did you mean 'cluster'?
          xyz: 1                         | unknown key 'xyz'; test.yaml line 2; known: cluster, listen
          collections: {}                | unknown key 'collections'; test.yaml line 2; it is a key of a node's tempest.yaml
          services: []                   | the key 'services' is there twice; test.yaml line 2
          cluster: [a]                   | 'cluster' is not a single value; test.yaml line 2
          cluster:                       | 'cluster' is not a single value; test.yaml line 2
          cluster: -x                    | '-x' cannot be the cluster of anything; test.yaml line 2
          listen: here                   | 'here' is not host:port; test.yaml line 2; write listen: host:port
          listen: here:0                 | port 0 is not between 1 and 65535; test.yaml line 2
          listen: here:123456            | 'here:123456' is not host:port
          listen: 0.0.0.0:7400           | a server cannot listen on 0.0.0.0:7400
          servers: 127.0.0.1:7400        | 'servers' is not a list; test.yaml line 2
          servers: [a:1]                 | this server, 127.0.0.1:7400, is not among the servers
          servers: [a:1, a:1]            | the server a:1 is there twice
          multicast: 0                   | port 0 is not between 1 and 65535
          multicast: on                  | 'on' is not a number; test.yaml line 2; write multicast: off, or
          gossip-interval: 100           | '100' is not a time with a unit (ms, s
          gossip-interval: 1ms           | a gossip interval of 1ms cannot work
          faults: {drop-percent: 101}    | 101 percent cannot be dropped; test.yaml line 2
          faults: {drop-percent: NaN}    | NaN percent cannot be dropped
          faults: {drop-per-cent: 1}     | unknown key 'drop-per-cent'; test.yaml line 2; did you mean
          faults: 3                      | here should be keys with values; test.yaml line 2
          cluster: "a                    | this is not YAML
          """)
  void refusesWhatCannotWorkSayingWhatWhereAndWhatToDo(String line, String message) {
    assertThatThrownBy(() -> parse(MINIMAL + line + "\n", Map.of(), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          cluster: a                                     | the server hosts 0 services
          services: [{class: A}]                         | a service without name; test.yaml line 1
          services: [{name: a}]                          | a service without class; test.yaml line 1
          services: [{name: a, class: 1}]                | '1' is not the name of a class
          services: [{name: a b, class: A}]              | 'a b' cannot be the name of anything
          services: [{name: a, class: A, jar: x.jar}]    | there is no jar /nowhere/x.jar
          services: [{name: a, class: A, execute: one}]  | 'one' does not say who executes; test.yaml line 1; write execute: all, or any
          services: [{name: a, class: A, unchecked: [b*]}] | 'b*' is the name of neither a class nor
          services: [{name: a, class: A, reconcile: Adopt}] | 'Adopt' is no way to reconcile
          services: [{name: a, class: A}, {name: a, class: B}] | the service 'a' is there twice
          services: [{name: a, clas: A}]                 | did you mean 'class'?
          """)
  void refusesServicesThatCannotBeHosted(String yaml, String message) {
    assertThatThrownBy(() -> parse(yaml, Map.of(), Map.of())).hasMessageContaining(message);
  }

  @Test
  void namesTheSourceOfAnOverride() {
    assertThatThrownBy(() -> parse(MINIMAL, Map.of("TEMPEST_LISTEN", "x"), Map.of()))
        .hasMessageContaining("environment variable TEMPEST_LISTEN");
    assertThatThrownBy(() -> parse(MINIMAL, Map.of(), Map.of("servers", "x:1,")))
        .hasMessageContaining("option --servers");
  }

  @Test
  void anEmptyOrMissingFileIsRefused(@TempDir Path folder) {
    assertThatThrownBy(() -> parse("# nothing\n", Map.of(), Map.of()))
        .hasMessageContaining("the file is empty; test.yaml");
    assertThatThrownBy(() -> ServerFile.read(folder.resolve("none.yaml"), Map.of(), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("there is no such configuration file");
  }

  private static ServerFile parse(
      String yaml, Map<String, String> environment, Map<String, String> options) {
    return ServerFile.parse(
        new ConfigFile("test.yaml", yaml), Path.of("/nowhere"), environment, options);
  }
}
