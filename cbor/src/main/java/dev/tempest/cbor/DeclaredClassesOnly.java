package dev.tempest.cbor;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/** Jackson's annotations without those by which bytes name the class to make of them. */
final class DeclaredClassesOnly extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1L;

  @Override
  public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
      MapperConfig<?> config, Annotated annotated) {
    return null;
  }

  @Override
  public @Nullable Object findTypeResolverBuilder(MapperConfig<?> config, Annotated annotated) {
    return null;
  }
}
