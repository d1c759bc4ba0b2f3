package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published schema says what the reader does; {@code -Dschema=write} publishes it anew. */
final class SchemaTest {
  private static final boolean WRITE = "write".equals(System.getProperty("schema"));

  private static final List<Path> PUBLISHED =
      List.of(
          Path.of("src/main/resources/dev/tempest/config/file/tempest.schema.json"),
          Path.of("../docs/reference/tempest.schema.json"));

  private final SchemaCheck schema = new SchemaCheck(SchemaText.generate());

  @Test
  void whatIsPublishedIsWhatTheReaderKnows() throws IOException {
    for (Path file : PUBLISHED) {
      if (WRITE) {
        Files.writeString(file, SchemaText.generate());
      }
      assertThat(file)
          .as("write it with: mvn -pl config test -Dschema=write")
          .content()
          .isEqualTo(SchemaText.generate());
    }
    assertThat(NodeSettings.schema()).isEqualTo(SchemaText.generate());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster: shop",
        "name: till-3",
        "name: 3",
        "name: none",
        "listen: private",
        "listen: private:7400",
        "listen: 0.0.0.0:7400",
        "listen: ::1",
        "listen: '[fd00::1]:7400-7409'",
        "advertise: none",
        "advertise: shop.example.org:7400",
        "allow: [203.0.113.0/24, '2001:db8::/32', 198.51.100.7]",
        "members: [10.0.0.1:7400, 'db-2.example.org']",
        "shutdown-hook: off",
        "http: 127.0.0.1:8080",
        "http: '[::1]:8080'",
        "http: none",
        "http-advertise: https://shop.example.org",
        "http-advertise: 'http://[::1]:8080/shop/'",
        "http-advertise: none",
        "services: []",
        "services: [{name: cart, class: a.Cart, execute: any, reconcile: adopt}]",
        "services: [{name: cart, class: a.Cart, unchecked: [org.slf4j]}]",
        "{members: [10.0.0.1], services: [{name: cart, class: a.B, consistency: linearizable}]}",
        "multicast: off",
        "multicast: 45791",
        "loopback: on",
        "loopback: off",
        "seeds: []",
        "seeds: [10.0.0.1, '[fd00::1]', '[fd00::1]:7500', a.example.org:7500]",
        "dns: none",
        "dns: shop.default.svc.cluster.local:7500",
        "expel-after: 10s",
        "collections: {}",
        "collections: {carts: {}, session-*: {}, '*': {}}",
        "collections: {a: {preset: eventual}}",
        "collections: {a: {time-to-live: 30m, idle: 500 ms}}",
        "collections: {a: {time-to-live: none, idle: none, max-size: none}}",
        "collections: {a: {max-size: 100000}}",
        "collections: {a: {acks: none}, b: {acks: 2}}",
        "acks: 64",
        "deadline: 500ms",
        "max-ahead: 10k",
        "max-ahead: 500",
        "reads: linearizable",
        "reads: lease",
        "reads: local",
        "collections: {a: {max-size: 100k}}",
        "collections: {a: {consistency: eventual}}",
        "{members: [10.0.0.1], collections: {a: {consistency: linearizable, acks: none}}}",
      })
  void bothAccept(String yaml) {
    assertThat(schema.accepts(yaml)).isTrue();
    assertThat(readerAccepts(yaml)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "clutser: shop",
        "bind: private",
        "services: [{name: cart}]",
        "services: [{name: cart, class: 1}]",
        "services: [{name: cart, class: A, execute: one}]",
        "services: [{name: cart, class: A, consistency: strong}]",
        "cluster: [a]",
        "cluster: -x",
        "cluster: 3",
        "name: a b",
        "listen: a/b",
        "listen: 7400",
        "listen: private:7400-",
        "advertise: a:b",
        "allow: [example.org]",
        "members: 10.0.0.1",
        "shutdown-hook: false",
        "http: 8080",
        "http: localhost",
        "http-advertise: shop.example.org",
        "http-advertise: https://user@shop.example.org",
        "http-advertise: https://shop.example.org/?q",
        "multicast: on",
        "multicast: 0",
        "loopback: true",
        "seeds: 10.0.0.1",
        "seeds: [a:b]",
        "dns: a:b",
        "expel-after: 10",
        "expel-after: 10 seconds",
        "collections: []",
        "collections: {Carts: {}}",
        "collections: {'a*b': {}}",
        "collections: {a: 1}",
        "collections: {a: {prest: session}}",
        "collections: {a: {preset: other}}",
        "collections: {a: {idle: 5}}",
        "collections: {a: {max-size: 0}}",
        "collections: {a: {max-size: 1000000001}}",
        "collections: {a: {max-size: 2G}}",
        "collections: {a: {acks: 0}}",
        "collections: {a: {consistency: strong}}",
        "acks: 65",
        "deadline: 10",
        "max-ahead: 0",
        "reads: stale",
        "max-ahead: 10s",
      })
  void bothRefuse(String yaml) {
    assertThat(schema.accepts(yaml)).isFalse();
    assertThat(readerAccepts(yaml)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "listen: private:7499-7400",
        "listen: private:0",
        "listen: 8.8.8.8",
        "allow: [203.0.113.0/33]",
        "members: [10.0.0.1:1, 10.0.0.1:1]",
        "seeds: [10.0.0.1:99999]",
        "expel-after: 1s",
        "max-ahead: 2M",
        "collections: {a: {idle: 0s}}",
        "collections: {a: {max-size: 2000M}}",
        "collections: {a: {consistency: linearizable}}",
        "{members: [10.0.0.1], collections: {a: {consistency: linearizable, acks: 2}}}",
      })
  void onlyTheReaderRefusesWhatNoPatternSays(String yaml) {
    assertThat(schema.accepts(yaml)).isTrue();
    assertThat(readerAccepts(yaml)).isFalse();
  }

  private static boolean readerAccepts(String yaml) {
    try {
      new NodeReader(Map.of(), Map.of())
          .read(new ConfigFile("test.yaml", Path.of(""), yaml + "\n"));
      return true;
    } catch (ConfigException e) {
      return false;
    }
  }
}
