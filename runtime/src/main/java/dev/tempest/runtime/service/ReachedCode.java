package dev.tempest.runtime.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** The classes that come from where a service comes from: the same jar, or folder. */
final class ReachedCode {
  private final ClassLoader loader;
  private final @Nullable String base;
  private final Collection<String> unchecked;
  private final Map<String, Optional<ClassNode>> models = new HashMap<>();

  /**
   * @param unchecked classes and packages, by their names, that are left out
   */
  ReachedCode(Class<?> service, Collection<String> unchecked) {
    ClassLoader its = service.getClassLoader();
    this.loader = its == null ? ClassLoader.getSystemClassLoader() : its;
    this.unchecked = unchecked;
    String file = file(service.getName().replace('.', '/'));
    URL found = loader.getResource(file);
    String place = found == null ? "" : found.toString();
    this.base = place.endsWith(file) ? place.substring(0, place.length() - file.length()) : null;
  }

  /** A class of this code by its internal name; nothing for any other. */
  Optional<ClassNode> find(String internalName) {
    return models.computeIfAbsent(internalName, this::read);
  }

  /** Any class that this code can name, not initialized; nothing if it is not there. */
  Optional<Class<?>> load(String internalName) {
    try {
      return Optional.of(Class.forName(internalName.replace('/', '.'), false, loader));
    } catch (ClassNotFoundException | LinkageError notThere) {
      return Optional.empty();
    }
  }

  private Optional<ClassNode> read(String internalName) {
    String name = internalName.replace('/', '.');
    URL found = loader.getResource(file(internalName));
    boolean isOfThisCode =
        found != null && base != null && found.toString().equals(base + file(internalName));
    if (!isOfThisCode || unchecked.stream().anyMatch(left -> covers(left, name))) {
      return Optional.empty();
    }
    try (InputStream bytes = found.openStream()) {
      ClassNode model = new ClassNode();
      new ClassReader(bytes).accept(model, ClassReader.SKIP_FRAMES);
      return Optional.of(model);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("the class " + name + " cannot be read", unreadable);
    }
  }

  private static boolean covers(String left, String name) {
    return name.equals(left) || name.startsWith(left + ".") || name.startsWith(left + "$");
  }

  private static String file(String internalName) {
    return internalName + ".class";
  }
}
