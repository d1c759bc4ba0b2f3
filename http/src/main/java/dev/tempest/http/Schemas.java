package dev.tempest.http;

import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JavaType;

/**
 * The JSON Schemas (2020-12, as OpenAPI 3.1 takes them) of what {@link Json} reads and writes.
 * Records, enums and sealed types become components, by name. Not thread-safe.
 */
final class Schemas {
  private static final String COMPONENTS = "#/components/schemas/";

  private static final Map<Class<?>, Map<String, Object>> SCALARS =
      Map.ofEntries(
          Map.entry(String.class, Map.of("type", "string")),
          Map.entry(Boolean.class, Map.of("type", "boolean")),
          Map.entry(Character.class, Map.of("type", "string", "minLength", 1, "maxLength", 1)),
          Map.entry(Byte.class, integer(Byte.MIN_VALUE, Byte.MAX_VALUE)),
          Map.entry(Short.class, integer(Short.MIN_VALUE, Short.MAX_VALUE)),
          Map.entry(Integer.class, Map.of("type", "integer", "format", "int32")),
          Map.entry(Long.class, Map.of("type", "integer", "format", "int64")),
          Map.entry(BigInteger.class, Map.of("type", "integer")),
          Map.entry(Float.class, Map.of("type", "number", "format", "float")),
          Map.entry(Double.class, Map.of("type", "number", "format", "double")),
          Map.entry(BigDecimal.class, Map.of("type", "number")),
          Map.entry(UUID.class, Map.of("type", "string", "format", "uuid")),
          Map.entry(Instant.class, Map.of("type", "string", "format", "date-time")),
          Map.entry(OffsetDateTime.class, Map.of("type", "string", "format", "date-time")),
          Map.entry(LocalDate.class, Map.of("type", "string", "format", "date")),
          Map.entry(Duration.class, Map.of("type", "string", "format", "duration")),
          Map.entry(Year.class, Map.of("type", "integer")),
          Map.entry(byte[].class, Map.of("type", "string", "contentEncoding", "base64")));

  /** Components by name, and which type has it. */
  private final SortedMap<String, Object> components = new TreeMap<>();

  private final Map<String, JavaType> named = new LinkedHashMap<>();

  private static Map<String, Object> integer(int minimum, int maximum) {
    return Map.of("type", "integer", "minimum", minimum, "maximum", maximum);
  }

  /** What references lead to so far. */
  SortedMap<String, Object> components() {
    return components;
  }

  static boolean isOptional(JavaType type) {
    return Optional.class.equals(type.getRawClass());
  }

  /** Whether it has no parts, so that it is written in a query as it is. */
  static boolean isPlain(JavaType type) {
    return isOptional(type)
        ? isPlain(type.getContentType())
        : type.getRawClass().isEnum() || !scalar(type.getRawClass()).isEmpty();
  }

  /** Whether a text stands for a value as it is, so that it needs no quotes in a query. */
  static boolean isText(JavaType type) {
    Class<?> raw = type.getRawClass();
    return isOptional(type)
        ? isText(type.getContentType())
        : raw.isEnum() || "string".equals(scalar(raw).get("type"));
  }

  /** A type as callers know it, in a few words. */
  static String word(JavaType type) {
    Class<?> raw = type.getRawClass();
    Map<String, Object> scalar = scalar(raw);
    if (!scalar.isEmpty()) {
      String word = String.valueOf(scalar.get("type"));
      boolean isSpecial = word.equals("string") && scalar.containsKey("format");
      return scalar.containsKey("maxLength")
          ? word + " of 1 character"
          : isSpecial ? word + ", " + scalar.get("format") : word;
    }
    if (isOptional(type)) {
      return word(type.getContentType()) + " or null";
    }
    if (type.isMapLikeType()) {
      return "object of " + word(type.getContentType());
    }
    if (type.isArrayType() || type.isCollectionLikeType()) {
      return "array of " + word(type.getContentType());
    }
    return raw.isEnum() ? "one of " + String.join(", ", names(raw)) : name(type);
  }

  /** The schema of a type; null is allowed only where the schema says so. */
  Map<String, Object> of(JavaType type) {
    Class<?> raw = type.getRawClass();
    Map<String, Object> scalar = scalar(raw);
    if (!scalar.isEmpty()) {
      return scalar;
    }
    if (isOptional(type)) {
      return orNull(of(type.getContentType()));
    }
    if (type.isMapLikeType()) {
      return ordered("type", "object", "additionalProperties", of(type.getContentType()));
    }
    if (type.isArrayType() || type.isCollectionLikeType()) {
      Map<String, Object> schema = ordered("type", "array", "items", of(type.getContentType()));
      if (Set.class.isAssignableFrom(raw)) {
        schema.put("uniqueItems", true);
      }
      return schema;
    }
    if (raw.isRecord() || raw.isEnum() || raw.isSealed()) {
      return Map.of("$ref", COMPONENTS + component(type));
    }
    return Map.of(); // Its ValueFormat knows.
  }

  /** The schema of what may be null unless it is primitive. */
  Map<String, Object> ofNullable(JavaType type) {
    return type.isPrimitive() ? of(type) : orNull(of(type));
  }

  private static Map<String, Object> orNull(Map<String, Object> schema) {
    return schema.isEmpty() || schema.containsKey("anyOf")
        ? schema
        : Map.of("anyOf", List.of(schema, Map.of("type", "null")));
  }

  /** The schema of a class that is neither record, enum nor container; empty for others. */
  static Map<String, Object> scalar(Class<?> raw) {
    Class<?> boxed = MethodType.methodType(raw).wrap().returnType();
    Map<String, Object> known = SCALARS.get(boxed);
    if (known != null) {
      return known;
    }
    boolean isTime =
        raw.getPackageName().equals("java.time")
            && (TemporalAccessor.class.isAssignableFrom(raw) || !raw.isInterface());
    return isTime ? Map.of("type", "string") : Map.of();
  }

  /** The name of its component, which is there from now on. */
  private String component(JavaType type) {
    String name = name(type);
    JavaType other = named.putIfAbsent(name, type);
    if (other != null && !other.equals(type)) {
      name = type.toCanonical().replaceAll("[^A-Za-z0-9._-]", "_");
      other = named.putIfAbsent(name, type);
    }
    if (other == null) { // Put before it is made, since it may contain itself.
      components.put(name, make(type));
    }
    return name;
  }

  private static String name(JavaType type) {
    return type.getBindings().getTypeParameters().stream()
        .map(Schemas::name)
        .collect(
            Collectors.joining(
                "_", type.getRawClass().getSimpleName() + (type.hasGenericTypes() ? "_" : ""), ""));
  }

  private Map<String, Object> make(JavaType type) {
    Class<?> raw = type.getRawClass();
    if (raw.isEnum()) {
      return ordered("type", "string", "enum", names(raw));
    }
    return raw.isRecord() ? ofRecord(type) : ofSealed(raw);
  }

  /** The constants of an enum. */
  static List<String> names(Class<?> ofEnum) {
    return Arrays.stream(ofEnum.getEnumConstants()).map(each -> ((Enum<?>) each).name()).toList();
  }

  private Map<String, Object> ofRecord(JavaType type) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RecordComponent component : type.getRawClass().getRecordComponents()) {
      JavaType declared = Json.type(component.getGenericType(), type.getBindings());
      properties.put(component.getName(), ofNullable(declared));
      if (declared.isPrimitive()) {
        required.add(component.getName());
      }
    }
    return object(properties, required);
  }

  /** An object with these properties and no others. */
  static Map<String, Object> object(Map<String, Object> properties, List<String> required) {
    Map<String, Object> schema = ordered("type", "object", "properties", properties);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    schema.put("additionalProperties", false);
    return schema;
  }

  /** Any of its members, each with the property that says which. */
  private Map<String, Object> ofSealed(Class<?> sealed) {
    List<Object> members = new ArrayList<>();
    for (Class<?> member : Json.members(sealed)) {
      Map<String, Object> schema =
          member.isRecord() ? ofRecord(Json.type(member)) : Map.of("type", "object");
      members.add(withType(new LinkedHashMap<>(schema), member.getSimpleName()));
    }
    return ordered("oneOf", members, "discriminator", Map.of("propertyName", Json.TYPE));
  }

  private static Map<String, Object> withType(Map<String, Object> schema, String name) {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(Json.TYPE, Map.of("const", name));
    if (schema.get("properties") instanceof Map<?, ?> own) {
      own.forEach((key, value) -> properties.put(String.valueOf(key), value));
    }
    List<Object> required = new ArrayList<>(List.of(Json.TYPE));
    if (schema.get("required") instanceof List<?> own) {
      required.addAll(own);
    }
    schema.put("properties", properties);
    schema.put("required", required);
    return schema;
  }

  /** A map with these two entries, in this order. */
  static Map<String, Object> ordered(String first, Object one, String second, Object other) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(first, one);
    map.put(second, other);
    return map;
  }
}
