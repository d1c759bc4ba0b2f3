package dev.tempest.service.execution;

import dev.tempest.state.State;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class that somebody named as a service.
 *
 * @param api the one service interface that it implements
 */
record ServiceClass(Class<?> api, Constructor<?> constructor) {

  /**
   * Looks at a class.
   *
   * @throws IllegalArgumentException if it implements no service interface or several, or has no
   *     constructor that can be used
   */
  static ServiceClass of(Class<?> implementation) {
    String name = implementation.getName();
    if (implementation.isInterface() || Modifier.isAbstract(implementation.getModifiers())) {
      throw new IllegalArgumentException(
          name + " is abstract: name the class that implements the service");
    }
    List<Class<?>> apis = new ArrayList<>();
    for (Class<?> at = implementation; at != null; at = at.getSuperclass()) {
      collectApis(at, apis);
    }
    // An interface that extends another speaks for both.
    List<Class<?>> last = apis.stream().filter(api -> !isExtended(api, apis)).toList();
    if (last.size() != 1) {
      throw new IllegalArgumentException(
          "%s implements %d interfaces with methods marked @Update or @Read: implement exactly one"
              .formatted(name, last.size()));
    }
    Constructor<?> constructor = find(implementation, State.class);
    if (constructor == null) {
      constructor = find(implementation);
    }
    if (constructor == null) {
      throw new IllegalArgumentException(
          name + " has no public constructor with a State or without parameters: add one");
    }
    if (!constructor.trySetAccessible()) {
      throw new IllegalArgumentException(
          "%s is not accessible: make it public in an exported package, or open %s to %s"
              .formatted(
                  name, implementation.getPackageName(), ServiceClass.class.getModule().getName()));
    }
    return new ServiceClass(last.get(0), constructor);
  }

  Object construct(State state) {
    try {
      return constructor.getParameterCount() == 0
          ? constructor.newInstance()
          : constructor.newInstance(state);
    } catch (InvocationTargetException thrown) {
      throw new IllegalArgumentException(
          "the constructor of "
              + constructor.getDeclaringClass().getName()
              + " threw "
              + thrown.getCause(),
          thrown.getCause());
    } catch (ReflectiveOperationException denied) {
      throw new IllegalArgumentException(
          constructor.getDeclaringClass().getName() + " cannot be constructed: " + denied, denied);
    }
  }

  private static void collectApis(Class<?> type, List<Class<?>> apis) {
    for (Class<?> implemented : type.getInterfaces()) {
      if (ServiceInterface.isMarked(implemented) && !apis.contains(implemented)) {
        apis.add(implemented);
      }
      collectApis(implemented, apis);
    }
  }

  private static boolean isExtended(Class<?> api, List<Class<?>> apis) {
    for (Class<?> other : apis) {
      if (other != api && api.isAssignableFrom(other)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Constructor<?> find(Class<?> implementation, Class<?>... parameters) {
    try {
      return implementation.getConstructor(parameters);
    } catch (NoSuchMethodException none) {
      return null;
    }
  }
}
