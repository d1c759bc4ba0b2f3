package dev.tempest.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.file.NodeSettings;
import dev.tempest.sessions.SessionsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What editors know of the properties is what there is. */
final class MetadataTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static Map<String, JsonNode> properties() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(
            MetadataTest.class.getResourceAsStream(
                "/META-INF/spring-configuration-metadata.json"))) {
      Map<String, JsonNode> found = new TreeMap<>();
      JSON.readTree(file)
          .get("properties")
          .forEach(each -> found.put(each.get("name").asString(), each));
      return found;
    }
  }

  @Test
  void thoseOfTheNodeAreTheKeysOfItsFile() throws IOException {
    JsonNode schema = JSON.readTree(NodeSettings.schema()).get("properties");
    Map<String, JsonNode> properties = properties();
    for (String key : NodeProperties.keys()) {
      JsonNode property = properties.get("tempest." + key);
      assertThat(property).as(key).isNotNull();
      assertThat(property.get("description")).isEqualTo(schema.get(key).get("description"));
      JsonNode byDefault = schema.get(key).get("default");
      if (property.has("defaultValue")) {
        assertThat(property.get("defaultValue").asString()).isEqualTo(byDefault.asString());
      } else {
        assertThat(byDefault == null || byDefault.isEmpty()).as(key).isTrue();
      }
    }
  }

  @Test
  void thoseOfSessionsAreThoseThatAreRead() throws Exception {
    List<String> expected = new ArrayList<>(List.of("tempest.sessions.enabled"));
    SessionsConfig defaults = SessionsConfig.builder().build();
    for (RecordComponent each : SessionProperties.class.getRecordComponents()) {
      String name = "tempest.sessions." + kebab(each.getName());
      expected.add(name);
      JsonNode property = properties().get(name);
      assertThat(property).as(name).isNotNull();
      assertThat(property.get("type").asString()).isEqualTo(each.getType().getName());
      JsonNode byDefault = property.get("defaultValue");
      if (each.getType() == Integer.class) {
        assertThat(byDefault.asInt())
            .isEqualTo(SessionsConfig.class.getMethod(each.getName()).invoke(defaults));
      } else if (each.getType() == DataSize.class) {
        assertThat(Math.toIntExact(DataSize.parse(byDefault.asString()).toBytes()))
            .isEqualTo(SessionsConfig.class.getMethod(each.getName()).invoke(defaults));
      }
    }
    assertThat(properties().keySet().stream().filter(name -> name.startsWith("tempest.sessions.")))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  @Test
  void noneOfThemIsRefused() throws IOException {
    assertThat(KnownProperties.names())
        .containsExactlyInAnyOrderElementsOf(
            properties().keySet().stream().filter(name -> name.startsWith("tempest.")).toList());
  }

  @Test
  void nothingElseIsThere() throws IOException {
    assertThat(properties().keySet())
        .filteredOn(name -> !name.startsWith("tempest.sessions."))
        .allMatch(name ->
            List.of(
                        "tempest.config",
                        "tempest.operations.path",
                        "management.health.tempest.enabled")
                    .contains(name)
                || NodeProperties.keys().contains(name.substring("tempest.".length())));
    assertThat(Arrays.asList(properties().keySet().toArray())).hasSizeGreaterThan(25);
  }
}
