package dev.tempest.runtime.service;

import dev.tempest.service.Read;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Finds where a service takes something from its process that replicas do not share, or leaves
 * something there.
 *
 * <p>Reads the methods of the service class, and those that they reach in the same jar or folder:
 * of a class that is made or called, all methods that its objects have; of static methods, and of
 * those that clients read by, the ones that are called. Does not see what reflection, native code
 * or other jars do.
 */
final class DeterminismCheck {
  private final ReachedCode code;

  /** What clients read by, which changes no state, by name and descriptor. */
  private final Set<String> reads;

  private final Set<String> serviceClasses = new HashSet<>();
  private final Deque<Declared> todo = new ArrayDeque<>();
  private final Set<String> classesReached = new HashSet<>();
  private final Set<String> methodsReached = new HashSet<>();
  private final List<Finding> found = new ArrayList<>();
  private final KeptFields fields;
  private final IdentityUses identities;

  private DeterminismCheck(Class<?> service, ReachedCode code) {
    this.code = code;
    this.reads = reads(service);
    for (Class<?> each = service; each != null; each = each.getSuperclass()) {
      serviceClasses.add(each.getName().replace('.', '/'));
    }
    this.fields = new KeptFields(code, serviceClasses, found::add);
    this.identities = new IdentityUses(code, found::add);
  }

  /**
   * What a service should not do, in the order in which it is reached.
   *
   * @param unchecked classes and packages, by their names, whose methods are not read
   */
  static List<Finding> of(Class<?> service, Collection<String> unchecked) {
    DeterminismCheck check = new DeterminismCheck(service, new ReachedCode(service, unchecked));
    check.reachObjects(service.getName().replace('.', '/'));
    for (Declared next = check.todo.poll(); next != null; next = check.todo.poll()) {
      check.read(next);
    }
    check.fields.finish();
    return check.found.stream().distinct().toList();
  }

  /** There are objects of a class: whatever they can do may be called. */
  private void reachObjects(String className) {
    if (!classesReached.add(className)) {
      return;
    }
    code.find(className)
        .ifPresent(model -> {
          for (MethodNode node : model.methods) {
            Declared method = new Declared(model, node);
            boolean isRead =
                serviceClasses.contains(className) && reads.contains(method.signature());
            if (!method.isStatic() && !isRead) {
              reach(method);
            }
          }
          initialize(model);
          if (model.superName != null) { // Only Object has none.
            reachObjects(model.superName);
          }
          model.interfaces.forEach(this::reachObjects);
        });
  }

  private void initialize(ClassNode model) {
    model.methods.stream()
        .filter(method -> method.name.equals(Declared.CLASS_INITIALIZER))
        .forEach(method -> reach(new Declared(model, method)));
  }

  private void reach(Declared method) {
    if (methodsReached.add(method.in().name + '.' + method.signature())) {
      todo.add(method);
    }
  }

  private void read(Declared next) {
    int line = 0;
    for (AbstractInsnNode instruction : next.method().instructions) {
      identities.read(next, line, instruction);
      switch (instruction) {
        case LineNumberNode number -> line = number.line;
        case MethodInsnNode call -> called(next, line, call.owner, call.name, call.desc);
        case InvokeDynamicInsnNode made -> {
          for (Object argument : made.bsmArgs) {
            if (argument instanceof Handle handle) {
              called(next, line, handle.getOwner(), handle.getName(), handle.getDesc());
            }
          }
        }
        case FieldInsnNode field -> {
          code.find(field.owner).ifPresent(this::initialize);
          fields.read(next, line, field);
        }
        default -> {} // Neither calls anything nor makes an object that nobody constructs.
      }
    }
  }

  private void called(Declared by, int line, String owner, String name, String descriptor) {
    Source source = ProcessSources.of(owner, name, descriptor);
    if (source != null && !by.callsOneOf(source.corrections())) {
      boolean isCertain = source.isCertain();
      found.add(by.finding(line, "calls", named(owner, name), source.remedy(), isCertain));
    }
    Optional<ClassNode> model = code.find(owner);
    if (model.isEmpty()) {
      return;
    }
    initialize(model.get());
    Declared method = declared(owner, name, descriptor);
    if (method == null || !method.isStatic()) {
      reachObjects(owner);
    }
    if (method != null) {
      reach(method);
    }
  }

  private static Set<String> reads(Class<?> service) {
    Set<String> reads = new HashSet<>();
    for (Class<?> type : interfaces(service)) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Read.class)) {
          MethodType of = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
          reads.add(method.getName() + of.toMethodDescriptorString());
        }
      }
    }
    return reads;
  }

  private static Set<Class<?>> interfaces(Class<?> type) {
    Set<Class<?>> found = new HashSet<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Class<?> one : at.getInterfaces()) {
        found.add(one);
        found.addAll(interfaces(one));
      }
    }
    return found;
  }

  /** The method of a class or what it extends; null if it is an interface's, or of other code. */
  private @Nullable Declared declared(String owner, String name, String descriptor) {
    Optional<ClassNode> model = code.find(owner);
    while (model.isPresent()) {
      for (MethodNode method : model.get().methods) {
        if (method.name.equals(name) && method.desc.equals(descriptor)) {
          return new Declared(model.get(), method);
        }
      }
      model = Optional.ofNullable(model.get().superName).flatMap(code::find);
    }
    return null;
  }

  /** A method of the JDK as the source calls it. */
  static String named(String owner, String name) {
    String simple = owner.substring(owner.lastIndexOf('/') + 1);
    return name.equals(Declared.CONSTRUCTOR) ? "new " + simple : simple + "." + name;
  }
}
