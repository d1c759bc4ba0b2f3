package dev.tempest.config.file;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What an editor does with a JSON Schema, as far as ours goes. */
final class SchemaCheck {
  private final Map<?, ?> schema;

  /**
   * @param json which is YAML, too
   */
  SchemaCheck(String json) {
    schema = (Map<?, ?>) load(json);
  }

  boolean accepts(String yaml) {
    return accepts(schema, load(yaml));
  }

  private static Object load(String yaml) {
    return new Load(LoadSettings.builder().build()).loadFromString(yaml);
  }

  private boolean accepts(Map<?, ?> form, Object value) {
    return form.entrySet().stream()
        .allMatch(rule -> holds(String.valueOf(rule.getKey()), rule.getValue(), form, value));
  }

  private boolean holds(String rule, Object operand, Map<?, ?> form, Object value) {
    return switch (rule) {
      case "$schema", "title", "description", "default", "definitions" -> true;
      case "$ref" -> accepts(resolve((String) operand), value);
      case "type" ->
          (operand instanceof List<?> types ? types : List.of(operand)).contains(type(value));
      case "required" ->
          !(value instanceof Map<?, ?> map) || map.keySet().containsAll((List<?>) operand);
      case "enum" -> ((List<?>) operand).contains(value);
      case "pattern" ->
          !(value instanceof String text) || Pattern.compile((String) operand).matcher(text).find();
      case "minimum" -> !(value instanceof Integer number) || number >= (Integer) operand;
      case "maximum" -> !(value instanceof Integer number) || number <= (Integer) operand;
      case "anyOf" ->
          ((List<?>) operand).stream().anyMatch(other -> accepts((Map<?, ?>) other, value));
      case "items" ->
          !(value instanceof List<?> list)
              || list.stream().allMatch(item -> accepts((Map<?, ?>) operand, item));
      case "maxItems" -> !(value instanceof List<?> list) || list.size() <= (Integer) operand;
      case "maxProperties" -> !(value instanceof Map<?, ?> map) || map.size() <= (Integer) operand;
      case "propertyNames" ->
          !(value instanceof Map<?, ?> map)
              || map.keySet().stream().allMatch(key -> accepts((Map<?, ?>) operand, key));
      case "properties", "additionalProperties" ->
          !(value instanceof Map<?, ?> map)
              || map.entrySet().stream()
                  .allMatch(entry -> property(form, entry.getKey(), entry.getValue()));
      default -> throw new IllegalArgumentException("the schema says " + rule);
    };
  }

  private boolean property(Map<?, ?> form, Object key, Object value) {
    if (form.get("properties") instanceof Map<?, ?> known
        && known.get(key) instanceof Map<?, ?> of) {
      return accepts(of, value);
    }
    return form.get("additionalProperties") instanceof Map<?, ?> others && accepts(others, value);
  }

  private Map<?, ?> resolve(String reference) {
    String name = reference.substring("#/definitions/".length());
    if (schema.get("definitions") instanceof Map<?, ?> all
        && all.get(name) instanceof Map<?, ?> one) {
      return one;
    }
    throw new IllegalArgumentException("the schema refers to " + reference);
  }

  private static String type(Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> "string";
      case Integer number -> "integer";
      case Boolean truth -> "boolean";
      case List<?> list -> "array";
      case Map<?, ?> map -> "object";
      default -> value.getClass().getName();
    };
  }
}
