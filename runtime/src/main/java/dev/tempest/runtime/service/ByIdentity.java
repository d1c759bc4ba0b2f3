package dev.tempest.runtime.service;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Types whose hash codes or texts come from where an object lies in memory: arrays, enums (their
 * hash codes only), classes without a method of their own, and what is made of such.
 */
final class ByIdentity {
  static final String HASH_CODE = "hashCode";
  static final String TO_STRING = "toString";

  private final ReachedCode code;
  private final Predicate<Declared> takes;

  /** Types that are being asked for: a record may hold records of its own type. */
  private final Set<String> asked = new HashSet<>();

  /**
   * @param takes whether what a method of this code gives is made of hash codes by identity
   */
  ByIdentity(ReachedCode code, Predicate<Declared> takes) {
    this.code = code;
    this.takes = takes;
  }

  /**
   * Whether a method of objects of a type surely gives each process something else.
   *
   * @param method {@link #HASH_CODE} or {@link #TO_STRING}
   */
  boolean gives(String method, TypeUse type) {
    return type.isArray()
        || holds(method, type)
        || code.load(type.name()).filter(each -> ofObjects(method, each)).isPresent();
  }

  /** A collection's come from those of its elements. */
  private boolean holds(String method, TypeUse type) {
    return type.name().startsWith("java/util/")
        && type.arguments().stream().anyMatch(each -> gives(method, each));
  }

  private boolean ofObjects(String method, Class<?> type) {
    if (type.isEnum()) {
      return method.equals(HASH_CODE);
    }
    boolean isUnknown = Modifier.isAbstract(type.getModifiers()) || type == Object.class;
    if (isUnknown || !asked.add(type.getName())) {
      return false;
    }
    try {
      Class<?> declaring = type.getMethod(method).getDeclaringClass();
      return declaring == Object.class || ofCode(method, declaring);
    } catch (NoSuchMethodException | LinkageError unknown) {
      return false;
    } finally {
      asked.remove(type.getName());
    }
  }

  /** What a method of this code gives; of other code nothing is known. */
  private boolean ofCode(String name, Class<?> declaring) {
    ClassNode model = code.find(declaring.getName().replace('.', '/')).orElse(null);
    if (model == null) {
      return false;
    }
    for (MethodNode method : model.methods) {
      if (method.name.equals(name) && method.desc.startsWith("()")) {
        return isOfRecord(method)
            ? components(model).stream().anyMatch(each -> gives(name, each))
            : name.equals(HASH_CODE) && takes.test(new Declared(model, method));
      }
    }
    return false;
  }

  private static List<TypeUse> components(ClassNode record) {
    return record.recordComponents.stream()
        .map(each -> TypeUse.of(each.signature == null ? each.descriptor : each.signature))
        .toList();
  }

  /** Whether the compiler made it, of the components of a record. */
  private static boolean isOfRecord(MethodNode method) {
    for (AbstractInsnNode each : method.instructions) {
      if (each instanceof InvokeDynamicInsnNode made
          && made.bsm.getOwner().equals("java/lang/runtime/ObjectMethods")) {
        return true;
      }
    }
    return false;
  }

  /** The types of what a text is put together from; none for other instructions. */
  static List<TypeUse> joined(InvokeDynamicInsnNode made) {
    if (!made.bsm.getOwner().equals("java/lang/invoke/StringConcatFactory")) {
      return List.of();
    }
    return Arrays.stream(Type.getArgumentTypes(made.desc))
        .filter(each -> each.getSort() >= Type.ARRAY)
        .map(each -> TypeUse.of(each.getDescriptor()))
        .toList();
  }
}
