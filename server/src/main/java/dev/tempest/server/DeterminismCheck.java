package dev.tempest.server;

import dev.tempest.service.Read;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
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

/**
 * Finds where a service takes the time or random numbers from its process, which replicas do not
 * share.
 *
 * <p>Reads the methods of the service class, and those that they reach in the same jar or folder:
 * of a class that is made or called, all methods that its objects have; of static methods, and of
 * those that clients read by, the ones that are called. Does not see what reflection, native code
 * or other jars do.
 */
final class DeterminismCheck {
  private static final String CLASS_INITIALIZER = "<clinit>";

  /** A method to be read. */
  private record Todo(ClassModel in, MethodModel method) {}

  private final ReachedCode code;

  /** What clients read by, which changes no state, by name and descriptor. */
  private final Set<String> reads;

  private final Set<String> serviceClasses = new HashSet<>();
  private final Deque<Todo> todo = new ArrayDeque<>();
  private final Set<String> classesReached = new HashSet<>();
  private final Set<String> methodsReached = new HashSet<>();
  private final List<ProcessCall> found = new ArrayList<>();

  private DeterminismCheck(Class<?> service, ReachedCode code) {
    this.code = code;
    this.reads = reads(service);
    for (Class<?> each = service; each != null; each = each.getSuperclass()) {
      serviceClasses.add(each.getName().replace('.', '/'));
    }
  }

  /**
   * The calls that a service must not make, in the order in which they are reached.
   *
   * @param unchecked classes and packages, by their names, whose methods are not read
   */
  static List<ProcessCall> of(Class<?> service, Collection<String> unchecked) {
    DeterminismCheck check = new DeterminismCheck(service, new ReachedCode(service, unchecked));
    check.reachObjects(service.getName().replace('.', '/'));
    for (Todo next = check.todo.poll(); next != null; next = check.todo.poll()) {
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
          for (MethodModel method : model.methods()) {
            boolean isRead =
                serviceClasses.contains(className) && reads.contains(signature(method));
            if (!method.flags().has(AccessFlag.STATIC) && !isRead) {
              reach(model, method);
            }
          }
          initialize(model);
          model.superclass().map(ClassEntry::asInternalName).ifPresent(this::reachObjects);
          model.interfaces().forEach(each -> reachObjects(each.asInternalName()));
        });
  }

  private void initialize(ClassModel model) {
    model.methods().stream()
        .filter(method -> method.methodName().equalsString(CLASS_INITIALIZER))
        .forEach(method -> reach(model, method));
  }

  private void reach(ClassModel model, MethodModel method) {
    if (methodsReached.add(model.thisClass().asInternalName() + '.' + signature(method))) {
      todo.add(new Todo(model, method));
    }
  }

  private void read(Todo next) {
    CodeModel body = next.method().code().orElse(null);
    if (body == null) {
      return;
    }
    int line = 0;
    for (CodeElement element : body) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case InvokeInstruction call ->
            called(
                next,
                line,
                call.owner().asInternalName(),
                call.name().stringValue(),
                call.type().stringValue());
        case InvokeDynamicInstruction made -> {
          for (ConstantDesc argument : made.bootstrapArgs()) {
            if (argument instanceof DirectMethodHandleDesc handle) {
              called(
                  next,
                  line,
                  ReachedCode.internalName(handle.owner()),
                  handle.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
                      ? "<init>"
                      : handle.methodName(),
                  handle.lookupDescriptor());
            }
          }
        }
        case FieldInstruction field ->
            code.find(field.owner().asInternalName()).ifPresent(this::initialize);
        default -> {} // Neither calls anything nor makes an object that nobody constructs.
      }
    }
  }

  private void called(Todo by, int line, String owner, String name, String descriptor) {
    String remedy = ProcessSources.remedy(owner, name, descriptor);
    if (remedy != null) {
      found.add(processCall(by, line, owner, name, remedy));
      return;
    }
    Optional<ClassModel> model = code.find(owner);
    if (model.isEmpty()) {
      return;
    }
    initialize(model.get());
    MethodModel method = declared(owner, name, descriptor);
    if (method == null || !method.flags().has(AccessFlag.STATIC)) {
      reachObjects(owner);
    }
    if (method != null) {
      reach(method.parent().orElseThrow(), method);
    }
  }

  private static Set<String> reads(Class<?> service) {
    Set<String> reads = new HashSet<>();
    for (Class<?> type : ServiceClasses.interfaces(service)) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Read.class)) {
          MethodType of = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
          reads.add(method.getName() + of.toMethodDescriptorString());
        }
      }
    }
    return reads;
  }

  private static String signature(MethodModel method) {
    return method.methodName().stringValue() + method.methodType().stringValue();
  }

  /** The method of a class or what it extends; null if it is an interface's, or of other code. */
  private @Nullable MethodModel declared(String owner, String name, String descriptor) {
    Optional<ClassModel> model = code.find(owner);
    while (model.isPresent()) {
      for (MethodModel method : model.get().methods()) {
        if (method.methodName().equalsString(name)
            && method.methodType().equalsString(descriptor)) {
          return method;
        }
      }
      model = model.get().superclass().flatMap(above -> code.find(above.asInternalName()));
    }
    return null;
  }

  private static ProcessCall processCall(
      Todo by, int line, String owner, String name, String remedy) {
    String className = by.in().thisClass().asInternalName().replace('/', '.');
    String file =
        by.in()
            .findAttribute(Attributes.sourceFile())
            .map(attribute -> attribute.sourceFile().stringValue())
            .orElse("no file named");
    String simple = owner.substring(owner.lastIndexOf('/') + 1);
    return new ProcessCall(
        className,
        inSource(by.method().methodName().stringValue()),
        line == 0 ? file : file + ":" + line,
        name.equals("<init>") ? "new " + simple : simple + "." + name,
        remedy);
  }

  /** The method as it is in the source: that of a lambda is a part of the one around it. */
  private static String inSource(String name) {
    if (name.startsWith("lambda$")) {
      int end = name.indexOf('$', "lambda$".length());
      return name.substring("lambda$".length(), end < 0 ? name.length() : end);
    }
    return switch (name) {
      case "<init>" -> "its constructor";
      case CLASS_INITIALIZER -> "its static initializer";
      default -> name;
    };
  }
}
