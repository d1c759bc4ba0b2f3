package dev.tempest.http;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The methods of a service interface, by their names. Immutable. */
final class ServiceApi {
  private final SortedMap<String, Operation> operations;

  private ServiceApi(SortedMap<String, Operation> operations) {
    this.operations = operations;
  }

  /** What an interface marks. */
  static ServiceApi of(Class<?> api) {
    List<Method> marked =
        Stream.of(api.getMethods())
            .filter(method ->
                method.isAnnotationPresent(Update.class) || method.isAnnotationPresent(Read.class))
            .filter(method -> !method.isSynthetic())
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    SortedMap<String, Operation> operations = new TreeMap<>();
    for (Method method : marked) {
      String plain = method.getName();
      boolean overloaded =
          marked.stream().anyMatch(each -> !each.equals(method) && each.getName().equals(plain));
      String name = overloaded ? withTypes(method) : plain;
      if (!method.trySetAccessible()) {
        continue; // The node could not call it either.
      }
      operations.putIfAbsent(name, new Operation(method, name));
    }
    return new ServiceApi(operations);
  }

  /** Tells overloaded methods apart: {@code add(String,int)}. */
  private static String withTypes(Method method) {
    Function<Class<?>, String> name = Class::getSimpleName;
    return Stream.of(method.getParameterTypes())
        .map(name)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }

  Collection<Operation> operations() {
    return operations.values();
  }

  @Nullable Operation operation(String name) {
    return operations.get(name);
  }

  /** For people. */
  String names() {
    return String.join(", ", operations.keySet());
  }
}
