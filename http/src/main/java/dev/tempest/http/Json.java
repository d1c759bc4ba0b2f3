package dev.tempest.http;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.type.TypeBindings;

/**
 * Values as JSON, and back: strictly, so that what is not meant as it is written is refused where
 * it stands. A value of a sealed type says which it is by a property {@value #TYPE}.
 */
final class Json {
  /** Names the record, of those that a sealed type permits. */
  static final String TYPE = "@type";

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .annotationIntrospector(new SealedTypes())
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
              DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY,
              DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
          .withCoercionConfigDefaults(
              all -> all.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
          .build();

  private Json() {}

  /** The members of sealed interfaces and classes go by their simple names. */
  private static final class SealedTypes extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
        MapperConfig<?> config, Annotated annotated) {
      JsonTypeInfo.Value own = super.findPolymorphicTypeInfo(config, annotated);
      return own == null && annotated.getRawType().isSealed()
          ? JsonTypeInfo.Value.construct(
              JsonTypeInfo.Id.SIMPLE_NAME, JsonTypeInfo.As.PROPERTY, TYPE, null, false, true, null)
          : own;
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
      List<NamedType> own = super.findSubtypes(config, annotated);
      return own == null && annotated.getRawType().isSealed()
          ? members(annotated.getRawType()).stream()
              .map(member -> new NamedType(member, member.getSimpleName()))
              .toList()
          : own;
    }
  }

  /** The classes that can be values of a sealed one. */
  static List<Class<?>> members(Class<?> sealed) {
    List<Class<?>> members = new ArrayList<>();
    for (Class<?> permitted : sealed.getPermittedSubclasses()) {
      if (permitted.isSealed()) {
        members.addAll(members(permitted));
      } else {
        members.add(permitted);
      }
    }
    return members;
  }

  /** A declared type with what its variables stand for. */
  static JavaType type(Type declared) {
    return MAPPER.constructType(declared);
  }

  /** The same of a component, which may name variables of its record. */
  static JavaType type(Type declared, TypeBindings bindings) {
    return MAPPER.getTypeFactory().resolveMemberType(declared, bindings);
  }

  /**
   * Reads a text.
   *
   * @param place where it stands, for people
   * @throws Problem if it is no JSON
   */
  static JsonNode parse(byte[] text, String place) {
    try {
      JsonNode node = MAPPER.readTree(text);
      if (node.isMissingNode()) {
        throw Problem.badRequest(place, "it is empty, where JSON is expected");
      }
      return node;
    } catch (JacksonException malformed) {
      throw Problem.badRequest(place, "it is no JSON: " + where(malformed) + message(malformed));
    }
  }

  /**
   * The value that a node stands for.
   *
   * @param place of the node, for people
   * @throws Problem if it is none of that type; it names the place
   */
  static @Nullable Object read(JsonNode node, JavaType type, String place) {
    Shape.check(node, type, place);
    try {
      return MAPPER.readerFor(type).readValue(node);
    } catch (JacksonException mismatch) {
      throw Problem.badRequest(place + path(mismatch), message(mismatch));
    }
  }

  /** A text as the JSON that stands for it. */
  static JsonNode text(String text) {
    return MAPPER.getNodeFactory().stringNode(text);
  }

  /** Writes a value of a declared type. */
  static byte[] write(@Nullable Object value, JavaType type) {
    return MAPPER.writerFor(type).writeValueAsBytes(value);
  }

  /** Writes what is made of maps, lists and texts. */
  static byte[] write(Object plain) {
    return MAPPER.writeValueAsBytes(plain);
  }

  private static String where(JacksonException malformed) {
    var location = malformed.getLocation();
    return location == null || location.getLineNr() < 1
        ? ""
        : "line %d, column %d: ".formatted(location.getLineNr(), location.getColumnNr());
  }

  private static String path(JacksonException mismatch) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : mismatch.getPath()) {
      if (step.getPropertyName() != null) {
        path.append('.').append(step.getPropertyName());
      } else {
        path.append('[').append(step.getIndex()).append(']');
      }
    }
    return path.toString();
  }

  /** Without what is meant for programmers of Jackson. */
  private static String message(JacksonException problem) {
    if (problem instanceof MismatchedInputException unfit && unfit.getTargetType() != null) {
      return "it is none of what is expected: " + Schemas.word(type(unfit.getTargetType()));
    }
    if (problem instanceof ValueInstantiationException refused && refused.getCause() != null) {
      return "it is refused: " + refused.getCause().getMessage();
    }
    String first = String.valueOf(problem.getOriginalMessage()).lines().findFirst().orElse("");
    return first.replaceFirst(" \\((start marker|but |through ).*", "");
  }
}
