package dev.tempest.service.execution;

import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.encoding.ValueType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Declared types as text and back, for tools that know a method by its description only: classes as
 * in {@link Class#getName}, type arguments between angle brackets, separated by commas.
 */
public final class TypeNames {
  /** More than any interface has. */
  private static final int DIMENSIONS_MAX = 8;

  private TypeNames() {}

  private record Generic(Class<?> raw, List<Type> arguments) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(Type[]::new);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return null;
    }
  }

  /** The name of a type that can be a value; a wildcard has that of its upper bound. */
  static String of(Type declared) {
    return switch (declared) {
      case Class<?> plain -> plain.getName();
      case ParameterizedType generic ->
          Stream.of(generic.getActualTypeArguments())
              .map(TypeNames::of)
              .collect(Collectors.joining(",", of(generic.getRawType()) + "<", ">"));
      case WildcardType wildcard -> of(wildcard.getUpperBounds()[0]);
      default -> declared.getTypeName();
    };
  }

  /**
   * The type of a name, which others may have written: no class is loaded for it.
   *
   * @throws UnsupportedTypeException if it is no name, or a class is neither built in nor a
   *     container
   */
  public static Type parse(String name) {
    int open = name.indexOf('<');
    if (open < 0) {
      return classOf(name);
    }
    if (!name.endsWith(">")) {
      throw new UnsupportedTypeException(name + " is not the name of a type");
    }
    List<Type> arguments = new ArrayList<>();
    int depth = 0;
    int start = open + 1;
    for (int at = start; at < name.length(); at++) {
      char next = name.charAt(at);
      if (depth == 0 && (next == ',' || at == name.length() - 1)) {
        arguments.add(parse(name.substring(start, at)));
        start = at + 1;
      }
      depth += next == '<' ? 1 : next == '>' ? -1 : 0;
    }
    Class<?> raw = classOf(name.substring(0, open));
    if (raw.getTypeParameters().length != arguments.size()) {
      throw new UnsupportedTypeException(
          name + " does not have the type arguments that its class takes");
    }
    return new Generic(raw, List.copyOf(arguments));
  }

  private static Class<?> classOf(String name) {
    Class<?> known = ValueType.named(name);
    if (known != null) {
      return known;
    }
    if (name.startsWith("[") && name.lastIndexOf('[') < DIMENSIONS_MAX) {
      boolean ofClass = name.startsWith("[L") && name.endsWith(";");
      Class<?> array =
          classOf(ofClass ? name.substring(2, name.length() - 1) : name.substring(1)).arrayType();
      if (array.getName().equals(name)) {
        return array;
      }
    }
    throw new UnsupportedTypeException(
        "the type "
            + name
            + " is neither built in nor a container, and no other is loaded by its"
            + " name");
  }
}
