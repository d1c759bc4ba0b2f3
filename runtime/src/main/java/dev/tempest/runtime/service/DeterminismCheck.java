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
import org.objectweb.asm.Opcodes;
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
  private static final String CLASS_INITIALIZER = "<clinit>";
  private static final String CONSTRUCTOR = "<init>";
  private static final String STATE =
      "keep it in a collection of the state, which is replicated and undone with its update";

  /** A method and the class that declares it. */
  private record Declared(ClassNode in, MethodNode method) {
    boolean isStatic() {
      return (method.access & Opcodes.ACC_STATIC) != 0;
    }

    String signature() {
      return method.name + method.desc;
    }
  }

  private final ReachedCode code;

  /** What clients read by, which changes no state, by name and descriptor. */
  private final Set<String> reads;

  private final Set<String> serviceClasses = new HashSet<>();
  private final Deque<Declared> todo = new ArrayDeque<>();
  private final Set<String> classesReached = new HashSet<>();
  private final Set<String> methodsReached = new HashSet<>();
  private final List<Finding> found = new ArrayList<>();

  private DeterminismCheck(Class<?> service, ReachedCode code) {
    this.code = code;
    this.reads = reads(service);
    for (Class<?> each = service; each != null; each = each.getSuperclass()) {
      serviceClasses.add(each.getName().replace('.', '/'));
    }
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
    return List.copyOf(check.found);
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
        .filter(method -> method.name.equals(CLASS_INITIALIZER))
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
          used(next, line, field);
        }
        default -> {} // Neither calls anything nor makes an object that nobody constructs.
      }
    }
  }

  /** A service has no memory but its state: what it writes elsewhere, other replicas lack. */
  private void used(Declared by, int line, FieldInsnNode field) {
    boolean isStatic = field.getOpcode() == Opcodes.PUTSTATIC;
    boolean isOwn = field.getOpcode() == Opcodes.PUTFIELD && serviceClasses.contains(field.owner);
    if ((!isStatic && !isOwn) || code.find(field.owner).isEmpty()) {
      return;
    }
    boolean isInitial = by.method().name.equals(isStatic ? CLASS_INITIALIZER : CONSTRUCTOR);
    if (!isInitial) {
      String kind = isStatic ? "the static field " : "the field ";
      found.add(finding(by, line, "writes", kind + field.name, STATE, true));
    } else if (field.getPrevious() instanceof MethodInsnNode made
        && made.name.equals(CONSTRUCTOR)
        && isMutable(made.owner)) {
      String what = named(made.owner, CONSTRUCTOR) + " in the field " + field.name;
      found.add(finding(by, line, "keeps", what, STATE, false));
    }
  }

  /** Whether it is a collection of the JDK that is made to be changed, or a counter. */
  private static boolean isMutable(String className) {
    return className.startsWith("java/util/") && !className.startsWith("java/util/function/");
  }

  private void called(Declared by, int line, String owner, String name, String descriptor) {
    String remedy = ProcessSources.remedy(owner, name, descriptor);
    String caution = ProcessSources.caution(owner, name, descriptor);
    if (remedy != null) {
      found.add(finding(by, line, "calls", named(owner, name), remedy, true));
      return;
    } else if (caution != null) {
      found.add(finding(by, line, "calls", named(owner, name), caution, false));
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

  private static String named(String owner, String name) {
    String simple = owner.substring(owner.lastIndexOf('/') + 1);
    return name.equals(CONSTRUCTOR) ? "new " + simple : simple + "." + name;
  }

  private static Finding finding(
      Declared by, int line, String verb, String what, String remedy, boolean isCertain) {
    String className = by.in().name.replace('/', '.');
    String file = by.in().sourceFile == null ? "no file named" : by.in().sourceFile;
    return new Finding(
        className,
        inSource(by.method().name),
        line == 0 ? file : file + ":" + line,
        verb,
        what,
        remedy,
        isCertain);
  }

  /** The method as it is in the source: that of a lambda is a part of the one around it. */
  private static String inSource(String name) {
    if (name.startsWith("lambda$")) {
      int end = name.indexOf('$', "lambda$".length());
      return name.substring("lambda$".length(), end < 0 ? name.length() : end);
    }
    return switch (name) {
      case CONSTRUCTOR -> "its constructor";
      case CLASS_INITIALIZER -> "its static initializer";
      default -> name;
    };
  }
}
