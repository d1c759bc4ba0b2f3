package dev.tempest.spring.autoconfigure;

import dev.tempest.config.ConfigException;
import dev.tempest.config.file.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses properties {@code tempest.*} that nobody reads: with a slip of a letter they would have
 * no effect, and nobody would notice.
 */
final class KnownProperties {
  private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("tempest");

  /** Not read from {@link SessionProperties}: its classes may not be there. */
  private static final List<String> OF_SESSIONS =
      List.of(
          "enabled",
          "name",
          "touch-every",
          "acks",
          "save-mode",
          "flush-mode",
          "seen-within",
          "sessions-max",
          "attributes-max",
          "attribute-max-bytes",
          "session-max-bytes");

  private static final String VARIABLE_PREFIX = "TEMPEST_";
  private static final Pattern INDEXES = Pattern.compile("(_[0-9]+)+_?$");

  private final ConfigurableListableBeanFactory beans;
  private final List<ConfigException> problems = new ArrayList<>();

  private KnownProperties(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /** All that the starter reads. */
  static List<String> names() {
    return Stream.of(
            NodeProperties.keys().stream(),
            Stream.of("config", "operations.path"),
            OF_SESSIONS.stream().map("sessions."::concat))
        .flatMap(each -> each)
        .map(NodeProperties.PREFIX::concat)
        .toList();
  }

  /**
   * Looks at every source that can list what it has.
   *
   * @throws ConfigException if one is neither known nor belongs to a bean of somebody else; it
   *     names all
   */
  static void refuseOthers(Environment environment, ConfigurableListableBeanFactory beans) {
    KnownProperties known = new KnownProperties(beans);
    ConfigurationPropertySources.get(environment).forEach(known::check);
    if (!known.problems.isEmpty()) {
      throw ConfigException.of(known.problems);
    }
  }

  private void check(ConfigurationPropertySource source) {
    if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource variables) {
      Stream.of(variables.getPropertyNames()).forEach(this::checkVariable);
    } else if (source instanceof IterableConfigurationPropertySource iterable) {
      iterable.stream().filter(PREFIX::isAncestorOf).forEach(name -> check(name, source));
    }
  }

  private void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
    ConfigurationPropertyName whole = name;
    while (whole.isLastElementIndexed()) {
      whole = whole.getParent();
    }
    ConfigurationPropertyName wanted = whole;
    boolean isKnown = names().stream().map(ConfigurationPropertyName::of).anyMatch(wanted::equals);
    if (isKnown || isOfOthers(name)) {
      return;
    }
    ConfigurationProperty property = source.getConfigurationProperty(name);
    String origin =
        property == null || property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")";
    problems.add(
        new ConfigException("property " + name + origin, whatIsWrong(name), remedy(wanted)));
  }

  private static String whatIsWrong(ConfigurationPropertyName name) {
    return switch (name.getElement(1, ConfigurationPropertyName.Form.DASHED)) {
      case "shutdown-hook" -> "Spring closes the node, whatever this says";
      case "http", "http-advertise" -> "only a server of Tempest answers over HTTP by itself";
      case "collections", "services" -> "this is written in tempest.yaml only";
      default -> "it is not known";
    };
  }

  private static String remedy(ConfigurationPropertyName name) {
    return switch (name.getElement(1, ConfigurationPropertyName.Form.DASHED)) {
      case "shutdown-hook", "http", "http-advertise" -> "remove it";
      case "collections", "services" -> "move it there; tempest.config says where the file is";
      default -> nearest(name.toString());
    };
  }

  private static String nearest(String name) {
    List<String> known = names();
    String last = name.substring(name.lastIndexOf('.'));
    return Spelling.nearest(name, known)
        .or(() -> known.stream().filter(each -> each.endsWith(last)).findFirst())
        .map(meant -> "did you mean " + meant + "?")
        .orElse("remove it; known: " + String.join(", ", known));
  }

  /** Whether an application or a library binds it to a bean of its own. */
  private boolean isOfOthers(ConfigurationPropertyName name) {
    for (String bean : beans.getBeanNamesForAnnotation(ConfigurationProperties.class)) {
      ConfigurationProperties properties =
          beans.findAnnotationOnBean(bean, ConfigurationProperties.class, false);
      Class<?> type = beans.getType(bean, false);
      if (properties != null && type != SessionProperties.class) {
        ConfigurationPropertyName prefix =
            ConfigurationPropertyName.adapt(properties.prefix(), '.');
        if (PREFIX.equals(prefix) || (PREFIX.isAncestorOf(prefix) && prefix.isAncestorOf(name))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Kubernetes and others set variables that begin alike, so only what is nearly one of ours is
   * refused. Variables of servers may be there.
   */
  private void checkVariable(String variable) {
    if (!variable.startsWith(VARIABLE_PREFIX)) {
      return;
    }
    String name = uniform(INDEXES.matcher(variable).replaceFirst(""));
    List<String> known = new ArrayList<>(names().stream().map(KnownProperties::uniform).toList());
    NodeProperties.OF_SPRING.forEach(key -> known.add(uniform(NodeProperties.PREFIX + key)));
    if (known.contains(name)) {
      return;
    }
    names().stream()
        .filter(each -> Spelling.slip(name, List.of(uniform(each))).isPresent())
        .findFirst()
        .ifPresent(meant ->
            problems.add(
                new ConfigException(
                    "environment variable " + variable,
                    "it is not known",
                    "did you mean " + variable(meant) + "?")));
  }

  /** However it is written. */
  private static String uniform(String name) {
    return name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
  }

  private static String variable(String name) {
    return name.replaceAll("[-.]", "_").toUpperCase(Locale.ROOT);
  }
}
