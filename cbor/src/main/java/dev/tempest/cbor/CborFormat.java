package dev.tempest.cbor;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueFormat;
import java.lang.reflect.Modifier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * The fields of an object, transient ones apart, by name: whatever their access, and whatever the
 * methods are called. Needs a constructor without parameters, of whatever access, or one with
 * {@code @JsonCreator}. Jackson's annotations hold, except those that let the bytes choose a class.
 *
 * <p>Fields may come and go like the components of records. A field holds exactly the class that it
 * is declared with: a subclass with fields of its own is refused.
 */
public final class CborFormat implements ValueFormat {
  /** Digits: a decimal number of more takes long to read. */
  private static final int NUMBER_LENGTH_MAX = 10_000;

  private final ObjectMapper mapper =
      CBORMapper.builder(factory())
          .annotationIntrospector(new DeclaredClassesOnly())
          .changeDefaultVisibility(visibility ->
              visibility
                  .withFieldVisibility(Visibility.ANY)
                  .withGetterVisibility(Visibility.NONE)
                  .withIsGetterVisibility(Visibility.NONE)
                  .withSetterVisibility(Visibility.NONE)
                  .withScalarConstructorVisibility(Visibility.NONE))
          .addModule(
              new SimpleModule()
                  .addDeserializer(Object.class, new NoObjects())
                  .setSerializerModifier(
                      new CanonicalSets(element -> this.mapper.writeValueAsBytes(element))))
          .enable(MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS)
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(MapperFeature.PROPAGATE_TRANSIENT_MARKER)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .build();

  private final ObjectReader strict =
      mapper.reader(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private final ObjectReader tolerant =
      mapper.reader().without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private static CBORFactory factory() {
    return CBORFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(NESTING_MAX)
                .maxNumberLength(NUMBER_LENGTH_MAX)
                .maxStringLength(Integer.MAX_VALUE) // The bytes are limited already.
                .build())
        .streamWriteConstraints(
            StreamWriteConstraints.builder().maxNestingDepth(NESTING_MAX).build())
        .build();
  }

  /** Found by {@link java.util.ServiceLoader}. */
  public CborFormat() {}

  @Override
  public boolean supports(Class<?> declared) {
    boolean isPlain =
        !declared.isPrimitive()
            && !declared.isArray()
            && !declared.isEnum()
            && !declared.isRecord()
            && !declared.isInterface()
            && !declared.isHidden()
            && !Modifier.isAbstract(declared.getModifiers());
    return isPlain && !isOfTheJdk(declared) && !Throwable.class.isAssignableFrom(declared);
  }

  /** What these hold is theirs, and changes with the JDK. */
  private static boolean isOfTheJdk(Class<?> declared) {
    String name = declared.getName();
    return name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("jdk.");
  }

  @Override
  public byte[] encode(Class<?> declared, Object value) {
    try {
      return mapper.writerFor(declared).writeValueAsBytes(value);
    } catch (JacksonException refused) {
      throw refused(declared, "written", refused);
    }
  }

  @Override
  public Object decode(Class<?> declared, byte[] bytes) {
    return decode(tolerant.forType(declared), declared, bytes);
  }

  /** Refuses what was written and would not be read: a field of a subclass for example. */
  @Override
  public Object copy(Class<?> declared, Object value) {
    return decode(strict.forType(declared), declared, encode(declared, value));
  }

  private static Object decode(ObjectReader reader, Class<?> declared, byte[] bytes) {
    Object value;
    try {
      value = reader.readValue(bytes);
    } catch (JacksonException refused) {
      throw refused(declared, "read", refused);
    }
    if (value == null) {
      throw new UnsupportedTypeException(declared.getName() + " cannot be read: it is null");
    }
    return value;
  }

  private static UnsupportedTypeException refused(
      Class<?> declared, String what, JacksonException refused) {
    StringBuilder path = new StringBuilder(declared.getSimpleName());
    for (JacksonException.Reference step : refused.getPath()) {
      path.append(step.getPropertyName() == null ? "[]" : "." + step.getPropertyName());
    }
    return new UnsupportedTypeException(
        "%s cannot be %s as CBOR, at %s: %s"
            .formatted(declared.getName(), what, path, refused.getOriginalMessage()));
  }
}
