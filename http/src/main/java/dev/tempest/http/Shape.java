package dev.tempest.http;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;

/**
 * Whether JSON has the shape of a type, as {@link Schemas} describes it. Jackson alone takes much
 * for granted: that a number is a time, that what is missing is 0, that a text is a list.
 */
final class Shape {
  private Shape() {}

  /**
   * Refuses what has another shape.
   *
   * @param place of the node, for people
   * @throws Problem that names the place within
   */
  static void check(JsonNode node, JavaType type, String place) {
    Class<?> raw = type.getRawClass();
    if (Schemas.isOptional(type)) {
      if (!node.isNull()) {
        check(node, type.getContentType(), place);
      }
    } else if (type.isMapLikeType()) {
      require(node.isObject(), node, "an object", place);
      node.forEachEntry((key, value) -> check(value, type.getContentType(), place + "." + key));
    } else if (raw.isRecord()) {
      checkRecord(node, type, place, null);
    } else if (raw.isSealed()) {
      checkSealed(node, raw, place);
    } else if (raw.isEnum()) {
      List<String> names = Schemas.names(raw);
      require(
          node.isString() && names.contains(node.stringValue()),
          node,
          "one of " + String.join(", ", names),
          place);
    } else if (!Schemas.scalar(raw).isEmpty()) {
      checkScalar(node, Schemas.scalar(raw), place);
    } else if (type.isArrayType() || type.isCollectionLikeType()) {
      require(node.isArray(), node, "an array", place);
      for (int i = 0; i < node.size(); i++) {
        check(node.get(i), type.getContentType(), place + "[" + i + "]");
      }
    }
  }

  private static void checkScalar(JsonNode node, Map<String, Object> schema, String place) {
    switch (String.valueOf(schema.get("type"))) {
      case "string" -> require(node.isString(), node, "a string", place);
      case "boolean" -> require(node.isBoolean(), node, "true or false", place);
      case "integer" -> checkInteger(node, schema, place);
      default -> require(node.isNumber(), node, "a number", place);
    }
  }

  private static void checkInteger(JsonNode node, Map<String, Object> schema, String place) {
    require(node.isIntegralNumber(), node, "an integer", place);
    switch (String.valueOf(schema.get("format"))) {
      case "int32" -> checkRange(node, Integer.MIN_VALUE, Integer.MAX_VALUE, place);
      case "int64" -> checkRange(node, Long.MIN_VALUE, Long.MAX_VALUE, place);
      default -> {
        if (schema.get("minimum") instanceof Integer low
            && schema.get("maximum") instanceof Integer high) {
          checkRange(node, low, high, place);
        }
      }
    }
  }

  private static void checkRange(JsonNode node, long low, long high, String place) {
    boolean fits = node.canConvertToLong() && node.longValue() >= low && node.longValue() <= high;
    require(fits, node, "an integer from %d to %d".formatted(low, high), place);
  }

  /**
   * Checks the components.
   *
   * @param tag a further property, which may be there
   */
  private static void checkRecord(
      JsonNode node, JavaType type, String place, @Nullable String tag) {
    require(node.isObject(), node, "an object", place);
    var unknown = new TreeSet<>(node.propertyNames());
    if (tag != null) {
      unknown.remove(tag);
    }
    RecordComponent[] components = type.getRawClass().getRecordComponents();
    for (RecordComponent component : components) {
      String name = component.getName();
      JavaType declared = Json.type(component.getGenericType(), type.getBindings());
      JsonNode value = node.get(name);
      unknown.remove(name);
      if (value != null && (declared.isPrimitive() || !value.isNull())) {
        check(value, declared, place + "." + name);
      } else if (declared.isPrimitive()) {
        throw Problem.badRequest(place + "." + name, "it is missing");
      }
    }
    if (!unknown.isEmpty()) {
      String known =
          Stream.of(components).map(RecordComponent::getName).collect(Collectors.joining(", "));
      throw Problem.badRequest(
          place, "unknown: %s; there are: %s".formatted(String.join(", ", unknown), known));
    }
  }

  private static void checkSealed(JsonNode node, Class<?> sealed, String place) {
    require(node.isObject(), node, "an object", place);
    JsonNode tag = node.get(Json.TYPE);
    List<Class<?>> members = Json.members(sealed);
    String names = members.stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
    Optional<Class<?>> member =
        members.stream()
            .filter(each -> tag != null && tag.isString())
            .filter(each -> each.getSimpleName().equals(tag.stringValue()))
            .findFirst();
    if (member.isEmpty()) {
      throw Problem.badRequest(place + "." + Json.TYPE, "it is to be one of " + names);
    }
    if (member.get().isRecord()) {
      checkRecord(node, Json.type(member.get()), place, Json.TYPE);
    }
  }

  private static void require(boolean holds, JsonNode node, String expected, String place) {
    if (!holds) {
      throw Problem.badRequest(
          place, "it is %s, where %s is expected".formatted(what(node), expected));
    }
  }

  /** Long contents are not sent back. */
  private static String what(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case STRING -> node.stringValue().length() > 40 ? "a string" : node.toString();
      default -> node.toString().length() > 40 ? "a long number" : node.toString();
    };
  }
}
