package dev.tempest.server;

import static java.util.stream.Collectors.joining;

import dev.tempest.config.ConfigException;
import dev.tempest.config.ServiceConfig;
import dev.tempest.service.Read;
import dev.tempest.service.ServiceInstance;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes services of the classes that a configuration names. */
final class ServiceClasses {
  /** More would fill the screen. */
  private static final int CALLS_SHOWN = 5;

  private ServiceClasses() {}

  /**
   * Loads the services, by name. Their jars stay open for as long as the process runs.
   *
   * @throws ConfigException if a class is not there, or is no service
   */
  static Map<String, ServiceInstance> load(List<ServiceConfig> services) {
    var loaded = new LinkedHashMap<String, ServiceInstance>();
    for (ServiceConfig service : services) {
      loaded.put(service.name(), instance(service, serviceClass(service)));
    }
    return loaded;
  }

  private static Class<?> serviceClass(ServiceConfig service) {
    ClassLoader loader =
        service.jar().map(ServiceClasses::jar).orElse(ServiceClasses.class.getClassLoader());
    String place = service.jar().map(jar -> "in " + jar).orElse("on the class path");
    try {
      return find(service.className(), loader);
    } catch (ClassNotFoundException e) {
      throw refusal(
          "class " + service.className() + " not found " + place,
          service,
          "check its name and package, or name its jar with jar:",
          e);
    } catch (LinkageError e) {
      throw refusal(
          "the class " + service.className() + " cannot be loaded (" + e + ")",
          service,
          "put what it needs into its jar",
          e);
    }
  }

  /** Also finds a class within another one by its name in code, {@code shop.Carts.Service}. */
  private static Class<?> find(String name, ClassLoader loader) throws ClassNotFoundException {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException none) {
      int dot = name.lastIndexOf('.');
      if (dot < 0) {
        throw none;
      }
      return find(name.substring(0, dot) + "$" + name.substring(dot + 1), loader);
    }
  }

  private static ClassLoader jar(Path jar) {
    try {
      return new URLClassLoader(
          new URL[] {jar.toUri().toURL()}, ServiceClasses.class.getClassLoader());
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(jar.toString(), e);
    }
  }

  private static <S> ServiceInstance instance(ServiceConfig service, Class<S> type) {
    try {
      Constructor<S> constructor = type.getConstructor(State.class);
      if (service.execute() == ServiceConfig.Execute.ALL) {
        requireDeterministic(service, type);
      }
      return ServiceInstance.of(api(service, type), state -> construct(constructor, state));
    } catch (NoSuchMethodException e) {
      throw refusal(
          type.getName() + " has no public constructor that takes a State",
          service,
          "add public " + type.getSimpleName() + "(State state) { ... }",
          e);
    } catch (ConfigException refused) {
      throw refused;
    } catch (RuntimeException e) {
      throw refusal(
          type.getName() + " cannot be hosted (" + e.getMessage() + ")",
          service,
          "correct the class",
          e);
    }
  }

  /** Every replica executes every update: what differs from process to process must stay out. */
  private static void requireDeterministic(ServiceConfig service, Class<?> type) {
    List<ProcessCall> calls = DeterminismCheck.of(type, service.unchecked());
    if (calls.isEmpty()) {
      return;
    }
    String shown = calls.stream().limit(CALLS_SHOWN).map(call -> "\n  " + call).collect(joining());
    int more = calls.size() - CALLS_SHOWN;
    throw new ConfigException(
        service.where(),
        "the service '"
            + service.name()
            + "' would come to another state at every replica:"
            + shown
            + (more > 0 ? "\n  and " + more + " more" : ""),
        "correct the code, or, where nothing of it comes into the state, name the class or its"
            + " package under unchecked:; or write execute: any, if one server is to execute each"
            + " update");
  }

  /** The interface with the service's methods. */
  @SuppressWarnings("unchecked") // A superinterface of type, so every S is one.
  private static <S> Class<? super S> api(ServiceConfig service, Class<S> type) {
    List<Class<?>> apis = interfaces(type).stream().filter(ServiceClasses::isApi).toList();
    if (apis.size() != 1) {
      throw new ConfigException(
          service.where(),
          type.getName()
              + " implements "
              + apis.size()
              + " interfaces with methods marked @Update or @Read",
          "let it implement one, such as ShoppingCart");
    }
    return (Class<? super S>) apis.getFirst();
  }

  private static boolean isApi(Class<?> candidate) {
    return Arrays.stream(candidate.getDeclaredMethods())
        .anyMatch(
            method ->
                method.isAnnotationPresent(Update.class) || method.isAnnotationPresent(Read.class));
  }

  static Set<Class<?>> interfaces(Class<?> type) {
    var found = new LinkedHashSet<Class<?>>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Class<?> one : at.getInterfaces()) {
        found.add(one);
        found.addAll(interfaces(one));
      }
    }
    return found;
  }

  private static <S> S construct(Constructor<S> constructor, State state) {
    try {
      return constructor.newInstance(state);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException("its constructor threw " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("it cannot be constructed: " + e, e);
    }
  }

  private static ConfigException refusal(
      String what, ServiceConfig service, String remedy, Throwable cause) {
    ConfigException refusal = new ConfigException(service.where(), what, remedy);
    refusal.initCause(cause);
    return refusal;
  }
}
