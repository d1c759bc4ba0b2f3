package dev.tempest.spring.autoconfigure;

import dev.tempest.config.NodeConfig;
import dev.tempest.config.file.NodeSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The properties {@code tempest.*} of a node: they are read as {@code tempest.yaml} is. */
final class NodeProperties {
  static final String PREFIX = "tempest.";

  /** Spring itself closes the node, and has a web server. */
  private static final Set<String> OF_SPRING = Set.of("shutdown-hook", "http", "http-advertise");

  private NodeProperties() {}

  /** The keys of the file that are properties. */
  static List<String> keys() {
    return NodeSettings.optionKeys().stream().filter(key -> !OF_SPRING.contains(key)).toList();
  }

  /**
   * What they say, over the file and the environment.
   *
   * @throws dev.tempest.config.ConfigException if something is written that cannot work
   */
  static NodeConfig configOf(Environment environment) {
    Binder binder = Binder.get(environment);
    Map<String, String> options = new LinkedHashMap<>();
    for (String key : keys()) {
      binder
          .bind(PREFIX + key, Bindable.listOf(String.class))
          .ifBound(items -> options.put(key, word(String.join(",", items))));
    }
    // By itself it would leave beside Spring's own hook, and requests that drain would fail.
    options.put("shutdown-hook", "off");
    Path file = binder.bind(PREFIX + "config", String.class).map(Path::of).orElse(null);
    return NodeSettings.load(file, options, "property " + PREFIX).config();
  }

  /** Spring reads off and on in YAML as these. */
  private static String word(String value) {
    return switch (value) {
      case "false" -> "off";
      case "true" -> "on";
      default -> value;
    };
  }
}
