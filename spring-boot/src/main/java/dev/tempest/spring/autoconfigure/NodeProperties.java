package dev.tempest.spring.autoconfigure;

import dev.tempest.config.ConfigException;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.file.NodeSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/** The properties {@code tempest.*} of a node: they are read as {@code tempest.yaml} is. */
final class NodeProperties {
  static final String PREFIX = "tempest.";

  /** Spring itself closes the node, and has a web server. */
  static final Set<String> OF_SPRING = Set.of("shutdown-hook", "http", "http-advertise");

  private NodeProperties() {}

  /** The keys of the file that are properties. */
  static List<String> keys() {
    return NodeSettings.optionKeys().stream().filter(key -> !OF_SPRING.contains(key)).toList();
  }

  /**
   * What they say, over the file. The environment variables of Tempest are properties, too: Spring
   * reads them.
   *
   * @param further values by key, which go before all others
   * @throws ConfigException if something is written that cannot work
   */
  static NodeConfig configOf(Environment environment, Map<String, String> further) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String key : keys()) {
      String value = value(environment, key);
      if (value != null && !value.isEmpty()) { // Empty is what a placeholder for nothing leaves.
        options.put(key, value);
      }
    }
    // By itself it would leave beside Spring's own hook, and requests that drain would fail.
    options.put("shutdown-hook", "off");
    options.putAll(further);
    String file = Binder.get(environment).bind(PREFIX + "config", String.class).orElse("");
    return NodeSettings.load(file.isEmpty() ? null : Path.of(file), options, "property " + PREFIX)
        .config();
  }

  private static @Nullable String value(Environment environment, String key) {
    Binder binder = Binder.get(environment);
    if (NodeSettings.listKeys().contains(key)) {
      return binder
          .bind(PREFIX + key, Bindable.listOf(String.class))
          .map(items -> String.join(",", items))
          .orElse(null);
    }
    String value = binder.bind(PREFIX + key, String.class).orElse(null);
    if (value == null) {
      return null;
    }
    return switch (key) {
      case "loopback" -> value.equals("true") ? "on" : value.equals("false") ? "off" : value;
      case "multicast" -> value.equals("false") ? "off" : value;
      default -> {
        refuseTruth(environment, key);
        yield value;
      }
    };
  }

  /** Spring's YAML reads yes, no, on and off as true and false; a cluster may be called so. */
  private static void refuseTruth(Environment environment, String key) {
    ConfigurationPropertyName name = ConfigurationPropertyName.of(PREFIX + key);
    for (var source : ConfigurationPropertySources.get(environment)) {
      var property = source.getConfigurationProperty(name);
      if (property != null) {
        if (property.getValue() instanceof Boolean truth) {
          throw new ConfigException(
              "property " + name,
              "YAML reads the word that is written there as " + truth,
              "put it in quotes");
        }
        return;
      }
    }
  }
}
