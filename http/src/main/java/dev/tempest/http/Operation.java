package dev.tempest.http;

import dev.tempest.service.Update;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;

/** A method of a service, as HTTP knows it: a path, parameters with names, a result. */
final class Operation {
  /**
   * A parameter.
   *
   * @param name as in the source, if the interface was compiled with {@code -parameters}; else
   *     arg0, arg1...
   */
  record Argument(String name, JavaType type) {}

  private final Method method;
  private final String name;
  private final List<Argument> parameters;
  private final JavaType result;

  /**
   * Of a method.
   *
   * @param name the last part of its path
   */
  Operation(Method method, String name) {
    this.method = method;
    this.name = name;
    this.parameters =
        Stream.of(method.getParameters())
            .map((Parameter each) ->
                new Argument(each.getName(), Json.type(each.getParameterizedType())))
            .toList();
    this.result = Json.type(method.getGenericReturnType());
  }

  String name() {
    return name;
  }

  boolean isUpdate() {
    return method.isAnnotationPresent(Update.class);
  }

  /** How it is asked for. */
  String verb() {
    return isUpdate() ? "POST" : "GET";
  }

  List<Argument> parameters() {
    return parameters;
  }

  boolean hasResult() {
    return method.getReturnType() != void.class;
  }

  JavaType result() {
    return result;
  }

  /** The exceptions that it declares, as far as that says what is thrown. */
  List<Class<?>> exceptions() {
    return List.of(method.getExceptionTypes());
  }

  boolean declares(String className) {
    return exceptions().stream().anyMatch(each -> each.getName().equals(className));
  }

  /**
   * Calls it on a client of the service.
   *
   * @throws IllegalArgumentException if arguments are not as declared
   */
  @Nullable Object callOn(Object client, @Nullable Object[] arguments) {
    try {
      return method.invoke(client, arguments);
    } catch (InvocationTargetException thrown) {
      switch (thrown.getCause()) {
        case RuntimeException unchecked -> throw unchecked;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(thrown);
      }
    } catch (IllegalAccessException closed) {
      throw new IllegalStateException(
          "%s is not accessible: make the interface public in an exported package"
              .formatted(method.getDeclaringClass().getName()),
          closed);
    }
  }
}
