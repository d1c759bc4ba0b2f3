package dev.tempest.spring.autoconfigure;

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
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Properties say what the keys of {@code tempest.yaml} say, and are checked as those. */
final class NodePropertiesTest {
  private static NodeConfig config(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return NodeProperties.configOf(environment);
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

  @Test
  void springClosesTheNodeAndNobodyElse() {
    assertThat(config(Map.of()).shutdownHook()).isFalse();
    assertThat(config(Map.of("tempest.shutdown-hook", "on")).shutdownHook()).isFalse();
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
