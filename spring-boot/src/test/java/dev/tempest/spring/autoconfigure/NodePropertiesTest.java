package dev.tempest.spring.autoconfigure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.ConfigException;
import dev.tempest.config.NodeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Properties say what the keys of {@code tempest.yaml} say, and are checked as those. */
final class NodePropertiesTest {
  private static NodeConfig config(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return NodeProperties.configOf(environment, Map.of());
  }

  @Test
  void keysOfTheNodeAreProperties() {
    NodeConfig config =
        config(
            Map.of(
                "tempest.cluster", "shop",
                "tempest.expel-after", "10s",
                "tempest.max-ahead", "2k",
                "tempest.acks", 2,
                "tempest.seeds[0]", "10.0.0.1",
                "tempest.seeds[1]", "10.0.0.2:7401"));
    assertThat(config.cluster()).isEqualTo("shop");
    assertThat(config.expelAfter()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.waits().maxAhead()).isEqualTo(2_000);
    assertThat(config.waits().acks()).isEqualTo(2);
    assertThat(config.seeds())
        .extracting(Object::toString)
        .containsExactly("10.0.0.1:7400", "10.0.0.2:7401");
  }

  @Test
  void yamlReadsOffAsFalse() {
    NodeConfig config = config(Map.of("tempest.multicast", false, "tempest.loopback", "off"));
    assertThat(config.multicastPort()).isZero();
    assertThat(config.loopback()).isFalse();
  }

  private static NodeConfig yaml(String text) throws IOException {
    StandardEnvironment environment = new StandardEnvironment();
    new YamlPropertySourceLoader()
        .load("application.yaml", new ByteArrayResource(text.getBytes(UTF_8)))
        .forEach(environment.getPropertySources()::addFirst);
    return NodeProperties.configOf(environment, Map.of());
  }

  @Test
  void wordsOfYamlAreReadAsInTheFile() throws IOException {
    NodeConfig config =
        yaml(
            """
            tempest:
              cluster: "on"
              name: 3
              multicast: off
              loopback: no
              acks: 2
              max-ahead: 2k
              seeds: 10.0.0.1, 10.0.0.2
              dns:
            """);
    assertThat(config.cluster()).isEqualTo("on");
    assertThat(config.name()).isEqualTo("3");
    assertThat(config.multicastPort()).isZero();
    assertThat(config.loopback()).isFalse();
    assertThat(config.waits().acks()).isEqualTo(2);
    assertThat(config.waits().maxAhead()).isEqualTo(2_000);
    assertThat(config.seeds()).hasSize(2);
    assertThat(config.dns()).isEmpty();
    assertThat(config(Map.of("tempest.cluster", "true")).cluster()).isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "acks: all | 'all' is not a number",
        "acks: 2.5 | '2.5' is not a number",
        "multicast: on | 'true' is not a number",
        "loopback: 1 | '1' is neither on nor off",
        "log: off | YAML reads the word that is written there as false. Put it in quotes",
        "cluster: yes | YAML reads the word that is written there as true. Put it in quotes"
      })
  void whatYamlMakesOfAWordIsNamed(String line, String error) {
    assertThatThrownBy(() -> yaml("tempest:\n  " + line))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("property tempest." + line.substring(0, line.indexOf(':')) + ": ")
        .hasMessageContaining(error);
  }

  /** Spring reads the environment; what dashes become there has two forms. */
  @Test
  void variablesMayBeWrittenAsSpringAdvises() {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(
                "test-systemEnvironment",
                Map.of(
                    "TEMPEST_EXPELAFTER", "10s",
                    "TEMPEST_MAX_AHEAD", "2k",
                    "TEMPEST_DNS", "",
                    "TEMPEST_SEEDS_0", "10.0.0.1")));
    NodeConfig config = NodeProperties.configOf(environment, Map.of());
    assertThat(config.expelAfter()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.waits().maxAhead()).isEqualTo(2_000);
    assertThat(config.seeds()).hasSize(1);
  }

  @Test
  void springClosesTheNodeAndNobodyElse() {
    assertThat(config(Map.of()).shutdownHook()).isFalse();
  }

  @Test
  void theyGoBeforeTheFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("shop.yaml");
    Files.writeString(file, "cluster: file\nname: till-3\ncollections: {carts: {idle: 30m}}\n");
    NodeConfig config =
        config(Map.of("tempest.config", file.toString(), "tempest.cluster", "property"));
    assertThat(config.cluster()).isEqualTo("property");
    assertThat(config.name()).isEqualTo("till-3");
    assertThat(config.collection("carts").idle()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void whatCannotWorkIsNamedAsAProperty() {
    assertThatThrownBy(() -> config(Map.of("tempest.acks", "many", "tempest.expel-after", "1s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("property tempest.acks: 'many' is not a number")
        .hasMessageContaining("property tempest.expel-after");
  }
}
