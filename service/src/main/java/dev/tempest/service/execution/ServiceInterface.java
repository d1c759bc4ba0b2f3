package dev.tempest.service.execution;

import dev.tempest.service.Read;
import dev.tempest.service.ServiceName;
import dev.tempest.service.Update;
import dev.tempest.values.UnsupportedTypeException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a service can be asked: a Java interface whose methods are marked {@link Update} or {@link
 * Read}.
 *
 * <p>Immutable and thread-safe.
 */
public final class ServiceInterface {
  /** Nothing can be asked. */
  public static final ServiceInterface NONE = new ServiceInterface(Void.class, List.of());

  /** Clients of one interface are many, and each needs it whole. */
  private static final ClassValue<ServiceInterface> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected ServiceInterface computeValue(Class<?> api) {
          return read(api);
        }
      };

  /** Before a capital that follows another letter, unless it is one within an abbreviation. */
  private static final Pattern WORD_BEGINS =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private final Class<?> type;
  private final List<ServiceMethod> methods;
  private final Map<Method, ServiceMethod> byMethod = new LinkedHashMap<>();

  /** The numbers of {@link #methods}, in the same, rising order. */
  private final int[] numbers;

  private ServiceInterface(Class<?> type, List<ServiceMethod> methods) {
    this.type = type;
    this.methods = List.copyOf(methods);
    this.numbers = new int[methods.size()];
    for (int i = 0; i < numbers.length; i++) {
      ServiceMethod method = methods.get(i);
      numbers[i] = method.number();
      byMethod.put(method.method(), method);
      if (Transaction.isReserved(numbers[i])) {
        throw new IllegalArgumentException(
            "%s has a number, %08x, that Tempest uses itself: rename it"
                .formatted(method, numbers[i]));
      }
      if (i > 0 && numbers[i] == numbers[i - 1]) {
        throw new IllegalArgumentException(
            "%s and %s have the same number, %08x: rename one of them"
                .formatted(methods.get(i - 1), method, numbers[i]));
      }
    }
  }

  /**
   * Reads a service interface. Static methods, and default methods without a mark, are no part of
   * it.
   *
   * @throws IllegalArgumentException if it is no interface, has no methods, a method has no mark or
   *     both, or two have the same number, or one has a number that is taken
   * @throws UnsupportedTypeException naming the method whose parameter or result cannot be a value
   */
  public static ServiceInterface of(Class<?> api) {
    return BY_CLASS.get(api);
  }

  private static ServiceInterface read(Class<?> api) {
    if (!api.isInterface() || api.isAnnotation()) {
      throw new IllegalArgumentException(
          api.getName()
              + " is not an interface: name the one whose methods are marked @Update or @Read");
    }
    List<ServiceMethod> methods = new ArrayList<>();
    for (Method method : api.getMethods()) {
      if (isPart(method)) {
        methods.add(new ServiceMethod(method, isUpdate(method)));
      }
    }
    if (methods.isEmpty()) {
      throw new IllegalArgumentException(
          api.getName()
              + " has no methods marked @Update or @Read: mark those that callers may use");
    }
    methods.sort(Comparator.comparingInt(ServiceMethod::number));
    return new ServiceInterface(api, methods);
  }

  /** The name of the service where nothing else gives it one: see {@link ServiceName}. */
  public String defaultName() {
    ServiceName named = type.getAnnotation(ServiceName.class);
    return named != null
        ? named.value()
        : WORD_BEGINS.matcher(type.getSimpleName()).replaceAll("-").toLowerCase(Locale.ROOT);
  }

  /** The interface. */
  public Class<?> type() {
    return type;
  }

  /** Its methods, by number. */
  public List<ServiceMethod> methods() {
    return methods;
  }

  /** What a method of the interface is called by; null if it is no part of the service. */
  public @Nullable ServiceMethod method(Method method) {
    return byMethod.get(method);
  }

  /** The method of a number; null if there is none. */
  public @Nullable ServiceMethod method(int number) {
    int index = indexOf(number);
    return index < 0 ? null : methods.get(index);
  }

  /** The place in {@link #methods} of the one with a number; negative if there is none. */
  int indexOf(int number) {
    return Arrays.binarySearch(numbers, number);
  }

  @Override
  public String toString() {
    return "ServiceInterface[" + type.getName() + "]";
  }

  /** Whether an interface has a marked method, of its own or inherited. */
  static boolean isMarked(Class<?> candidate) {
    for (Method method : candidate.getMethods()) {
      if (method.isAnnotationPresent(Update.class) || method.isAnnotationPresent(Read.class)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isPart(Method method) {
    boolean update = method.isAnnotationPresent(Update.class);
    boolean read = method.isAnnotationPresent(Read.class);
    boolean isStatic = Modifier.isStatic(method.getModifiers());
    if (update && read) {
      throw new IllegalArgumentException(
          describe(method) + " is marked both @Update and @Read: keep @Update if it changes state");
    }
    if (isStatic && (update || read)) {
      throw new IllegalArgumentException(
          describe(method) + " is static: remove the mark, or make it a method of the service");
    }
    if (method.isSynthetic() || isStatic) {
      return false;
    }
    if (!update && !read && !method.isDefault()) {
      throw new IllegalArgumentException(
          describe(method)
              + " has no mark: add @Update if it changes state, @Read if it only reads");
    }
    return update || read;
  }

  private static boolean isUpdate(Method method) {
    return method.isAnnotationPresent(Update.class);
  }

  private static String describe(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }
}
