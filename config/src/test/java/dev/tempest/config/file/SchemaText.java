package dev.tempest.config.file;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.Forms;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.WaitConfig;
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

  private static final Map<String, Object> ACKS =
      Map.of("type", "integer", "minimum", 1, "maximum", CollectionConfig.ACKS_MAX);

  private SchemaText() {}

  static String generate() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "http://json-schema.org/draft-07/schema#");
    schema.put("title", NodeSettings.FILE);
    schema.put(
        "description",
        "How a node of Tempest runs, finds its cluster, keeps data and hosts services.");
    schema.putAll(object(Key.ofNode()));
    Map<String, Object> service = object(Key.ofService());
    service.put("required", List.of(Key.SERVICE_NAME.word(), Key.CLASS.word()));
    schema.put("definitions", Map.of("collection", object(Key.ofCollection()), "service", service));
    return json(schema, "") + "\n";
  }

  private static Map<String, Object> object(List<Key> keys) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Key key : keys) {
      Map<String, Object> property = new LinkedHashMap<>();
      property.put("description", key.description());
      if (!key.defaultText().equals("required")) {
        property.put("default", defaultValue(key));
      }
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
      case MULTICAST, ACKS -> Integer.valueOf(key.defaultText());
      case ALLOW, SEEDS, MEMBERS, SERVICES, UNCHECKED -> List.of();
      case COLLECTIONS -> Map.of();
      default -> key.defaultText();
    };
  }

  private static Map<String, Object> form(Key key) {
    return switch (key) {
      case CLUSTER -> text(Forms.CLUSTER);
      case NAME -> Map.of("type", List.of("string", "integer"), "pattern", whole(Forms.NODE));
      case LISTEN -> text(Forms.LISTEN);
      case ALLOW -> list(NodeConfig.ALLOW_MAX, Forms.NETWORK);
      case MEMBERS -> list(NodeConfig.MEMBERS_MAX, Forms.PLACE);
      case MULTICAST -> Map.of("anyOf", List.of(PORT, Map.of("enum", List.of("off"))));
      case LOOPBACK, SHUTDOWN_HOOK -> Map.of("enum", List.of("on", "off"));
      case LOG -> Map.of("enum", List.of("memory", "disk", "adaptive"));
      case SEEDS -> list(NodeConfig.SEEDS_MAX, Forms.PLACE);
      case ADVERTISE, DNS -> text(Forms.PLACE);
      case HTTP -> text(Forms.HTTP);
      case HTTP_ADVERTISE -> text(Forms.HTTP_URL);
      case ACKS -> ACKS;
      case COLLECTION_ACKS -> Map.of("anyOf", List.of(ACKS, Map.of("enum", List.of(Key.NONE))));
      case CHECKPOINT_EVERY, EXPEL_AFTER, DEADLINE -> text(DurationText.FORM);
      case COLLECTIONS ->
          Map.of(
              "type",
              "object",
              "maxProperties",
              NodeConfig.COLLECTIONS_MAX,
              "propertyNames",
              Map.of("pattern", whole(Forms.COLLECTIONS)),
              "additionalProperties",
              Map.of("$ref", "#/definitions/collection"));
      case SERVICES ->
          Map.of(
              "type",
              "array",
              "maxItems",
              NodeConfig.SERVICES_MAX,
              "items",
              Map.of("$ref", "#/definitions/service"));
      case PRESET -> choice(Preset.values());
      case SERVICE_NAME -> text(Forms.SERVICE);
      case CLASS -> text(Forms.CLASS);
      case JAR, CHECKPOINT_FOLDER -> Map.of("type", "string");
      case UNCHECKED -> Map.of("type", "array", "items", text(Forms.CLASS));
      case RECONCILE -> choice(ServiceOptions.Reconcile.values());
      case EXECUTE -> choice(ServiceOptions.Execute.values());
      case READS -> Map.of("enum", List.of("linearizable", "lease", "local"));
      case SERVICE_READS -> choice(ServiceOptions.Reads.values());
      case BALLOTS -> choice(ServiceOptions.Ballots.values());
      case CONSISTENCY -> choice(ServiceConsistency.values());
      case COLLECTION_CONSISTENCY -> choice(Consistency.EVENTUAL, Consistency.LINEARIZABLE);
      case TIME_TO_LIVE, IDLE -> text(Key.NONE + "|" + DurationText.FORM);
      case MAX_SIZE -> count(CollectionConfig.SIZE_MAX, Key.NONE + "|" + EntryCount.FORM);
      case MAX_AHEAD -> count(WaitConfig.AHEAD_MAX, EntryCount.FORM);
    };
  }

  private static Map<String, Object> count(int max, String form) {
    return Map.of(
        "anyOf", List.of(Map.of("type", "integer", "minimum", 1, "maximum", max), text(form)));
  }

  private static Map<String, Object> choice(Enum<?>... values) {
    return Map.of("enum", Arrays.stream(values).map(ConfigText::word).toList());
  }

  private static Map<String, Object> list(int max, String form) {
    return Map.of("type", "array", "maxItems", max, "items", text(form));
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
