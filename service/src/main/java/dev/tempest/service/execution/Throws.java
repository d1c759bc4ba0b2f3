package dev.tempest.service.execution;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions that a method of a service interface declares. A caller gets these classes,
 * constructed from the message by a public constructor that takes a String or nothing. No other
 * class is ever constructed. Only the class name and the message of an exception travel.
 *
 * <p>Immutable and thread-safe.
 */
public final class Throws {
  /** Who declares these says nothing about what is thrown. */
  private static final List<Class<?>> UNSPECIFIC =
      List.of(Throwable.class, Exception.class, RuntimeException.class, Error.class);

  private final List<Class<?>> declared;

  Throws(Method method) {
    this.declared = List.of(method.getExceptionTypes());
  }

  /**
   * The class that stands for an exception where it is declared: its own, or the nearest one above
   * it that the method declares; null if there is none.
   */
  @Nullable Class<?> nearest(Throwable thrown) {
    for (Class<?> at = thrown.getClass(); at != null; at = at.getSuperclass()) {
      boolean isSpecific = at == thrown.getClass() || !UNSPECIFIC.contains(at);
      if (isSpecific && declared.contains(at)) {
        return at;
      }
    }
    return null;
  }

  /** Whether the method declares this very class. */
  boolean declares(String className) {
    return declared.stream().anyMatch(each -> each.getName().equals(className));
  }

  /**
   * The exception that the method threw, if it declares its class and that can be made.
   *
   * @param className as {@link Class#getName} gives it
   * @param message empty for none
   */
  public @Nullable Throwable remake(String className, String message) {
    for (Class<?> each : declared) {
      if (each.getName().equals(className)) {
        return make(each, message);
      }
    }
    return null;
  }

  private static @Nullable Throwable make(Class<?> type, String message) {
    for (Constructor<?> constructor : type.getConstructors()) {
      Class<?>[] parameters = constructor.getParameterTypes();
      if (parameters.length == 1 && parameters[0] == String.class) {
        return make(constructor, message.isEmpty() ? null : message);
      }
    }
    for (Constructor<?> constructor : type.getConstructors()) {
      if (constructor.getParameterCount() == 0) {
        return make(constructor);
      }
    }
    return null;
  }

  private static @Nullable Throwable make(
      Constructor<?> constructor, @Nullable Object... arguments) {
    try {
      return constructor.trySetAccessible() ? (Throwable) constructor.newInstance(arguments) : null;
    } catch (ReflectiveOperationException | RuntimeException cannot) {
      return null;
    }
  }
}
