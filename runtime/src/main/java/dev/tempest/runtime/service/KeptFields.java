package dev.tempest.runtime.service;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Finds what a service keeps in fields, its own and static ones, and may change there: it has no
 * memory but its state, since other replicas lack what it writes elsewhere.
 */
final class KeptFields {
  private static final String STATE =
      "keep it in a collection of the state, which is replicated and undone with its update";

  /** What has a public constructor and cannot change, or holds nothing. */
  private static final List<String> CONSTANT =
      List.of(
          "java/util/UUID",
          "java/util/Locale",
          "java/util/function/",
          "java/util/logging/",
          "java/util/concurrent/locks/");

  private static final Set<String> CHANGEABLE =
      Set.of(
          "java/lang/StringBuilder",
          "java/lang/StringBuffer",
          "java/lang/ThreadLocal",
          "java/io/ByteArrayOutputStream",
          "java/io/StringWriter");

  private static final Map<String, Set<String>> MAKE_CHANGEABLE =
      Map.of(
          "java/util/Collections",
          Set.of(
              "synchronizedMap",
              "synchronizedSortedMap",
              "synchronizedNavigableMap",
              "synchronizedSet",
              "synchronizedSortedSet",
              "synchronizedNavigableSet",
              "synchronizedList",
              "synchronizedCollection",
              "newSetFromMap"),
          "java/util/concurrent/ConcurrentHashMap",
          Set.of("newKeySet"),
          "java/util/HashMap",
          Set.of("newHashMap"),
          "java/util/HashSet",
          Set.of("newHashSet"),
          "java/util/LinkedHashMap",
          Set.of("newLinkedHashMap"),
          "java/util/LinkedHashSet",
          Set.of("newLinkedHashSet"),
          "java/util/EnumSet",
          Set.of("noneOf"),
          "java/lang/ThreadLocal",
          Set.of("withInitial"),
          "java/nio/ByteBuffer",
          Set.of("allocate", "allocateDirect"));

  /** A field with an object of a class of this code, of which it turns out later if it changes. */
  private record Kept(Declared by, int line, String field, String type) {}

  private final ReachedCode code;
  private final Set<String> serviceClasses;
  private final Consumer<Finding> found;
  private final List<Kept> kept = new ArrayList<>();

  /** Classes whose objects change after they were made. */
  private final Set<String> changing = new HashSet<>();

  /** What objects of a class hold. */
  private final Map<String, Set<String>> held = new HashMap<>();

  KeptFields(ReachedCode code, Set<String> serviceClasses, Consumer<Finding> found) {
    this.code = code;
    this.serviceClasses = serviceClasses;
    this.found = found;
  }

  void read(Declared by, int line, FieldInsnNode field) {
    if (code.find(field.owner).isEmpty()) {
      return;
    }
    switch (field.getOpcode()) {
      case Opcodes.PUTFIELD, Opcodes.PUTSTATIC -> written(by, line, field);
      default -> {
        if (changesArray(by, field)) {
          changes(by, line, field, "writes into", "the array in the field " + field.name, false);
        }
      }
    }
  }

  private void written(Declared by, int line, FieldInsnNode field) {
    boolean isStatic = field.getOpcode() == Opcodes.PUTSTATIC;
    if (!by.initializes(isStatic)) {
      String kind = isStatic ? "the static field " : "the field ";
      changes(by, line, field, "writes", kind + field.name, true);
      return;
    }
    AbstractInsnNode origin = Origin.of(field);
    String in = " in the field " + field.name;
    String made = changeable(origin);
    if (made != null) {
      changes(by, line, field, "keeps", made + in, false);
    }
    for (String type : ownTypes(field, origin)) {
      if (isOfService(field)) {
        kept.add(new Kept(by, line, field.name, type));
      } else {
        held.computeIfAbsent(field.owner, unused -> new HashSet<>()).add(type);
      }
    }
  }

  /** What changes in another object counts only if a field of the service leads there. */
  private void changes(
      Declared by, int line, FieldInsnNode field, String verb, String what, boolean isCertain) {
    if (isOfService(field)) {
      found.accept(by.finding(line, verb, what, STATE, isCertain));
    } else {
      changing.add(field.owner);
    }
  }

  private boolean isOfService(FieldInsnNode field) {
    boolean isStatic =
        field.getOpcode() == Opcodes.PUTSTATIC || field.getOpcode() == Opcodes.GETSTATIC;
    return isStatic || serviceClasses.contains(field.owner);
  }

  /** The classes of this code that a field is of, as declared and as made. */
  private Set<String> ownTypes(FieldInsnNode field, @Nullable AbstractInsnNode origin) {
    Set<String> types = new HashSet<>();
    if (Type.getType(field.desc).getSort() == Type.OBJECT) {
      types.add(Type.getType(field.desc).getInternalName());
    }
    if (origin instanceof MethodInsnNode made && made.name.equals(Declared.CONSTRUCTOR)) {
      types.add(made.owner);
    }
    types.removeIf(each -> serviceClasses.contains(each) || code.find(each).isEmpty());
    return types;
  }

  /** What an instruction makes that is made to be changed, as the source says it; else null. */
  private static @Nullable String changeable(@Nullable AbstractInsnNode origin) {
    if (!(origin instanceof MethodInsnNode made)) {
      return null;
    }
    boolean isConstructor = made.name.equals(Declared.CONSTRUCTOR);
    boolean isChangeable =
        isConstructor
            ? CHANGEABLE.contains(made.owner) || isChangeableOfUtil(made.owner)
            : MAKE_CHANGEABLE.getOrDefault(made.owner, Set.of()).contains(made.name);
    return isChangeable ? DeterminismCheck.named(made.owner, made.name) : null;
  }

  private static boolean isChangeableOfUtil(String owner) {
    return owner.startsWith("java/util/") && CONSTANT.stream().noneMatch(owner::startsWith);
  }

  /**
   * Whether a method that takes an array from a field writes into it, as far as can be told: it
   * writes into an array of this type, and neither makes one itself nor is given one by a method.
   */
  private static boolean changesArray(Declared by, FieldInsnNode field) {
    boolean isStatic = field.getOpcode() == Opcodes.GETSTATIC;
    if (Type.getType(field.desc).getSort() != Type.ARRAY || by.initializes(isStatic)) {
      return false;
    }
    int store = storeInto(field.desc);
    boolean writes = false;
    for (AbstractInsnNode each : by.method().instructions) {
      writes |= each.getOpcode() == store;
      if (givesArray(each, store)) {
        return false;
      }
    }
    return writes;
  }

  private static boolean givesArray(AbstractInsnNode instruction, int store) {
    return switch (instruction.getOpcode()) {
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY -> true;
      default -> instruction instanceof MethodInsnNode call && store == storeInto(given(call));
    };
  }

  /** What a method gives; a clone is declared to be any Object. */
  private static String given(MethodInsnNode call) {
    boolean isClone = call.name.equals("clone") && call.owner.startsWith("[");
    return isClone ? call.owner : Type.getReturnType(call.desc).getDescriptor();
  }

  /** What writes into an array of this type; nothing does if it is another one. */
  private static int storeInto(String descriptor) {
    return descriptor.startsWith("[")
        ? Type.getType(descriptor.substring(1)).getOpcode(Opcodes.IASTORE)
        : Opcodes.NOP;
  }

  /** Once all code was read: the fields with objects of this code that change. */
  void finish() {
    for (Kept each : kept) {
      if (changes(each.type(), new HashSet<>())) {
        String what =
            "a changing "
                + TypeUse.ofClass(each.type()).simpleName()
                + " in the field "
                + each.field();
        found.accept(each.by().finding(each.line(), "keeps", what, STATE, false));
      }
    }
  }

  private boolean changes(String type, Set<String> seen) {
    Optional<ClassNode> model = code.find(type);
    if (model.isEmpty() || !seen.add(type)) {
      return false;
    }
    return changing.contains(type)
        || held.getOrDefault(type, Set.of()).stream().anyMatch(each -> changes(each, seen))
        || (model.get().superName != null && changes(model.get().superName, seen));
  }
}
