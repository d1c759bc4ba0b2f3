package dev.tempest.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The JSON Schema of tempest.yaml, made of the keys and of the forms that the reader checks. */
final class SchemaText {
  private static final Map<String, Object> PORT =
      Map.of("type", "integer", "minimum", 1, "maximum", 65_535);

  private SchemaText() {}

  static String generate() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "http://json-schema.org/draft-07/schema#");
    schema.put("title", NodeSettings.FILE);
    schema.put("description", "How a node of Tempest runs, finds its cluster and keeps data.");
    schema.putAll(object(Key.ofNode()));
    schema.put("definitions", Map.of("collection", object(Key.ofCollection())));
    return json(schema, "") + "\n";
  }

  private static Map<String, Object> object(List<Key> keys) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Key key : keys) {
      Map<String, Object> property = new LinkedHashMap<>();
      property.put("description", key.description());
      property.put("default", defaultValue(key));
      form(key).entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(entry -> property.put(entry.getKey(), entry.getValue()));
      properties.put(key.word(), property);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", "object");
    object.put("additionalProperties", false);
    object.put("properties", properties);
    return object;
  }

  private static Object defaultValue(Key key) {
    return switch (key) {
      case MULTICAST -> Integer.valueOf(key.defaultText());
      case SEEDS -> List.of();
      case COLLECTIONS -> Map.of();
      default -> key.defaultText();
    };
  }

  private static Map<String, Object> form(Key key) {
    return switch (key) {
      case CLUSTER -> text(NodeConfig.CLUSTER_FORM);
      case NAME ->
          Map.of("type", List.of("string", "integer"), "pattern", whole(NodeConfig.NAME_FORM));
      case BIND -> text(NodeConfig.HOST_FORM);
      case PORT -> Map.of("anyOf", List.of(PORT, text(PortRange.FORM)));
      case MULTICAST -> Map.of("anyOf", List.of(PORT, Map.of("enum", List.of("off"))));
      case LOOPBACK -> Map.of("enum", List.of("on", "off"));
      case SEEDS ->
          Map.of("type", "array", "maxItems", Discovery.SEEDS_MAX, "items", text(HostPort.FORM));
      case DNS -> text(HostPort.FORM);
      case EXPEL_AFTER -> text(DurationText.FORM);
      case COLLECTIONS ->
          Map.of(
              "type",
              "object",
              "maxProperties",
              NodeConfig.COLLECTIONS_MAX,
              "propertyNames",
              Map.of("pattern", whole(CollectionRule.FORM)),
              "additionalProperties",
              Map.of("$ref", "#/definitions/collection"));
      case PRESET -> Map.of("enum", Arrays.stream(Preset.values()).map(Preset::word).toList());
      case TIME_TO_LIVE, IDLE -> text(Key.NONE + "|" + DurationText.FORM);
      case MAX_SIZE ->
          Map.of(
              "anyOf",
              List.of(
                  Map.of("type", "integer", "minimum", 1, "maximum", CollectionConfig.SIZE_MAX),
                  text(Key.NONE + "|" + NodeReader.SIZE_FORM)));
    };
  }

  private static Map<String, Object> text(String form) {
    return Map.of("type", "string", "pattern", whole(form));
  }

  private static String whole(String form) {
    return "^(?:" + form + ")$";
  }

  private static String json(Object value, String indent) {
    String inner = indent + "  ";
    return switch (value) {
      case Map<?, ?> map when map.isEmpty() -> "{}";
      case Map<?, ?> map -> {
        var entries = map instanceof LinkedHashMap ? map : new TreeMap<>(map);
        yield entries.entrySet().stream()
            .map(entry -> inner + json(entry.getKey(), "") + ": " + json(entry.getValue(), inner))
            .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
      }
      case List<?> list ->
          list.stream().map(item -> json(item, indent)).collect(Collectors.joining(", ", "[", "]"));
      case String text -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
      default -> value.toString();
    };
  }
}
