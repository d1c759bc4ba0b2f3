package dev.tempest.runtime.service;

import dev.tempest.config.ConfigException;
import dev.tempest.config.ServiceConfig;
import dev.tempest.service.execution.ServiceInstance;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes services of the classes that a configuration names. */
public final class ServiceClasses {
  private ServiceClasses() {}

  /**
   * Loads the services: from their jars, which stay open for as long as the process runs, or with
   * the context class loader of the calling thread.
   *
   * @throws ConfigException if a class is not there, or is no service; it names all of them
   */
  public static List<Deployment> load(List<ServiceConfig> services) {
    var loaded = new ArrayList<Deployment>();
    var problems = new ArrayList<ConfigException>();
    for (ServiceConfig service : services) {
      try {
        loaded.add(load(service));
      } catch (ConfigException e) {
        problems.add(e);
      }
    }
    if (!problems.isEmpty()) {
      throw ConfigException.of(problems);
    }
    return loaded;
  }

  private static Deployment load(ServiceConfig service) {
    Class<?> type = serviceClass(service);
    ServiceInstance instance = instance(service, type);
    String complaint = Determinism.complaint(service.name(), type, service.options());
    if (complaint != null) {
      throw new ConfigException(
          service.where(),
          complaint,
          "correct the code; if nothing of it enters the state, name the class or its package under"
              + " unchecked: instead; or write execute: any, of a linearizable service execute:"
              + " leader, if one node is to execute each update");
    }
    return Deployment.of(service.name(), instance, service.options());
  }

  private static Class<?> serviceClass(ServiceConfig service) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader parent = context == null ? ClassLoader.getSystemClassLoader() : context;
    ClassLoader loader = service.jar().map(jar -> inside(jar, parent)).orElse(parent);
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

  private static ClassLoader inside(Path jar, ClassLoader parent) {
    try {
      return new URLClassLoader(new URL[] {jar.toUri().toURL()}, parent);
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(jar.toString(), e);
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

  private static ServiceInstance instance(ServiceConfig service, Class<?> type) {
    try {
      return ServiceInstance.of(type);
    } catch (RuntimeException e) {
      throw refusal(
          type.getName() + " cannot be hosted (" + e.getMessage() + ")",
          service,
          "correct the class",
          e);
    }
  }

  private static ConfigException refusal(
      String what, ServiceConfig service, String remedy, Throwable cause) {
    ConfigException refusal = new ConfigException(service.where(), what, remedy);
    refusal.initCause(cause);
    return refusal;
  }
}
