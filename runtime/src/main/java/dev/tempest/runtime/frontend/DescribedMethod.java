package dev.tempest.runtime.frontend;

import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.service.execution.TypeNames;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.ValueType;
import dev.tempest.wire.Message.MethodDescription;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method known only by its description: its arguments and result by the names of their types. */
final class DescribedMethod {
  private final MethodDescription description;
  private final List<ValueType<Object>> parameters = new ArrayList<>();
  private final @Nullable ValueType<Object> result;

  DescribedMethod(MethodDescription description) {
    this.description = description;
    for (String parameter : description.parameters()) {
      parameters.add(typeOf(parameter));
    }
    this.result = description.result().equals("void") ? null : typeOf(description.result());
  }

  Bytes encode(@Nullable Object... arguments) {
    if (arguments.length != parameters.size()) {
      throw new IllegalArgumentException(
          description.name()
              + " takes "
              + parameters.size()
              + " arguments, not "
              + arguments.length);
    }
    ByteWriter writer = new ByteWriter(ServiceMethod.CONTENT_MAX_BYTES);
    for (int i = 0; i < arguments.length; i++) {
      ValueType<Object> type = parameters.get(i);
      Object argument = arguments[i];
      Class<?> boxed = MethodType.methodType(type.declared()).wrap().returnType();
      if (argument == null ? type.declared().isPrimitive() : !boxed.isInstance(argument)) {
        throw new IllegalArgumentException(
            "argument "
                + (i + 1)
                + " of "
                + description.name()
                + " is not of the type "
                + type.declared().getSimpleName());
      }
      type.write(argument, writer);
    }
    return writer.toBytes();
  }

  @Nullable Object decodeResult(Bytes bytes) {
    ByteReader reader = bytes.reader();
    Object value = result == null ? null : result.read(reader);
    reader.expectEnd();
    return value;
  }

  @SuppressWarnings("unchecked") // Values are handled as Objects, and checked before writing.
  private static ValueType<Object> typeOf(String name) {
    return (ValueType<Object>) ValueType.of(TypeNames.parse(name));
  }
}
