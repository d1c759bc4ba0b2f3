package dev.tempest.cbor;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;

/** Writes sets in the order of the bytes of their elements, so that equal sets have equal bytes. */
final class CanonicalSets extends ValueSerializerModifier {
  private static final long serialVersionUID = 1L;

  private final transient Function<@Nullable Object, byte[]> encoding;

  CanonicalSets(Function<@Nullable Object, byte[]> encoding) {
    this.encoding = encoding;
  }

  @Override
  @SuppressWarnings("unchecked") // What writes a set writes any collection of its elements.
  public ValueSerializer<?> modifyCollectionSerializer(
      SerializationConfig config,
      CollectionType type,
      BeanDescription.Supplier description,
      ValueSerializer<?> serializer) {
    boolean isOrdered =
        !Set.class.isAssignableFrom(type.getRawClass())
            || EnumSet.class.isAssignableFrom(type.getRawClass());
    return isOrdered
        ? serializer
        : new Sorted((ValueSerializer<Collection<?>>) serializer, encoding);
  }

  /** Gives the elements in their order to the one that writes them. */
  private static final class Sorted extends ValueSerializer<Collection<?>> {
    private final ValueSerializer<Collection<?>> writing;
    private final Function<@Nullable Object, byte[]> encoding;

    Sorted(ValueSerializer<Collection<?>> writing, Function<@Nullable Object, byte[]> encoding) {
      this.writing = writing;
      this.encoding = encoding;
    }

    @Override
    public void resolve(SerializationContext context) {
      writing.resolve(context);
    }

    @Override
    @SuppressWarnings("unchecked") // As above.
    public ValueSerializer<?> createContextual(
        SerializationContext context, @Nullable BeanProperty property) {
      return new Sorted(
          (ValueSerializer<Collection<?>>) writing.createContextual(context, property), encoding);
    }

    @Override
    public boolean isEmpty(SerializationContext context, Collection<?> value) {
      return value.isEmpty();
    }

    @Override
    public void serialize(
        Collection<?> value, JsonGenerator generator, SerializationContext context) {
      Collection<?> sorted =
          value.stream()
              .map(each -> new Encoded(each, encoding.apply(each)))
              .sorted((left, right) -> Arrays.compareUnsigned(left.bytes, right.bytes))
              .map(each -> each.element)
              .toList();
      writing.serialize(sorted, generator, context);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Encoded(@Nullable Object element, byte[] bytes) {}
}
