package dev.tempest.config;

import static org.assertj.core.api.Assertions.assertThat;

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
          Path.of("src/main/resources/dev/tempest/config/tempest.schema.json"),
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
        "bind: private",
        "bind: ::1",
        "port: 7500",
        "port: 7500-7599",
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
        "collections: {a: {max-size: 100k}}",
      })
  void bothAccept(String yaml) {
    assertThat(schema.accepts(yaml)).isTrue();
    assertThat(readerAccepts(yaml)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "clutser: shop",
        "services: []",
        "cluster: [a]",
        "cluster: -x",
        "cluster: 3",
        "name: a b",
        "bind: a/b",
        "port: 0",
        "port: 65536",
        "port: 7500 - 7599",
        "port: any",
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
      })
  void bothRefuse(String yaml) {
    assertThat(schema.accepts(yaml)).isFalse();
    assertThat(readerAccepts(yaml)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "port: 7599-7500",
        "bind: 8.8.8.8",
        "seeds: [10.0.0.1:99999]",
        "expel-after: 1s",
        "collections: {a: {idle: 0s}}",
        "collections: {a: {max-size: 2000M}}",
      })
  void onlyTheReaderRefusesWhatNoPatternSays(String yaml) {
    assertThat(schema.accepts(yaml)).isTrue();
    assertThat(readerAccepts(yaml)).isFalse();
  }

  private static boolean readerAccepts(String yaml) {
    try {
      new NodeReader(Map.of()).read(new ConfigFile("test.yaml", yaml + "\n"));
      return true;
    } catch (ConfigException e) {
      return false;
    }
  }
}
