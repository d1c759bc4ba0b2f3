package dev.tempest.runtime.service;

import static dev.tempest.runtime.service.ByIdentity.HASH_CODE;
import static dev.tempest.runtime.service.ByIdentity.TO_STRING;
import static dev.tempest.runtime.service.Declared.CONSTRUCTOR;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Finds where code takes hash codes or texts that come from where objects lie in memory, and hash
 * sets and maps whose order comes from there. Goes by the declared types of variables and fields.
 */
final class IdentityUses {
  private static final String HASH =
      "each process gives it another hash code: hash what it holds, of an enum its name()";
  private static final String TEXT =
      "its text differs from process to process: write what it holds, or give its class a toString";
  private static final String ORDER =
      "each process iterates over it in an order of its own, because its keys hash by identity:"
          + " take an EnumSet, an EnumMap, a LinkedHashSet, a LinkedHashMap, or what is sorted";

  private static final Set<String> HASHING =
      Set.of(
          "java/util/HashSet",
          "java/util/HashMap",
          "java/util/Hashtable",
          "java/util/concurrent/ConcurrentHashMap");
  private static final Set<String> MAKING =
      Set.of(CONSTRUCTOR, "newHashSet", "newHashMap", "newKeySet");

  /** Without those that are told which map to make. */
  private static final Set<String> COLLECTING =
      Set.of(
          "toSet()",
          "toMap(Ljava/util/function/Function;Ljava/util/function/Function;)",
          "toMap(Ljava/util/function/Function;Ljava/util/function/Function;"
              + "Ljava/util/function/BinaryOperator;)",
          "groupingBy(Ljava/util/function/Function;)",
          "groupingBy(Ljava/util/function/Function;Ljava/util/stream/Collector;)");

  private final ReachedCode code;
  private final ByIdentity identity;
  private final Consumer<Finding> found;

  IdentityUses(ReachedCode code, Consumer<Finding> found) {
    this.code = code;
    this.identity = new ByIdentity(code, this::takes);
    this.found = found;
  }

  private IdentityUses(ReachedCode code, ByIdentity identity, Consumer<Finding> found) {
    this.code = code;
    this.identity = identity;
    this.found = found;
  }

  /** A hash code may be made of others: who takes it is found. */
  void read(Declared by, int line, AbstractInsnNode instruction) {
    if (!by.signature().equals(HASH_CODE + "()I")) {
      examine(by, line, instruction);
    }
  }

  private boolean takes(Declared method) {
    List<Finding> inside = new ArrayList<>();
    IdentityUses uses = new IdentityUses(code, identity, inside::add);
    for (AbstractInsnNode each : method.method().instructions) {
      uses.examine(method, 0, each);
    }
    return !inside.isEmpty();
  }

  private void examine(Declared by, int line, AbstractInsnNode instruction) {
    switch (instruction) {
      case MethodInsnNode call -> called(by, line, call);
      case InvokeDynamicInsnNode made -> made(by, line, made);
      case VarInsnNode store when store.getOpcode() == Opcodes.ASTORE ->
          kept(by, line, store, Origin.variable(by.method(), store));
      case FieldInsnNode field
          when field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC ->
          kept(by, line, field, Origin.field(field, code));
      default -> {} // Takes no hash code and no text.
    }
  }

  private void called(Declared by, int line, MethodInsnNode call) {
    TypeUse argument = Origin.type(by.method(), call, code);
    boolean ofObject = call.desc.contains("(Ljava/lang/Object;)");
    switch (call.owner + '.' + call.name) {
      case "java/util/Objects.hashCode" -> taken(by, line, HASH_CODE, argument);
      case "java/util/Objects.hash" -> hashed(by, line, call);
      case "java/util/Objects.toString" -> taken(by, line, TO_STRING, ofObject ? argument : null);
      case "java/lang/String.valueOf",
          "java/lang/StringBuilder.append",
          "java/lang/StringBuffer.append" ->
          taken(by, line, TO_STRING, ofObject ? argument : null);
      default -> {
        boolean isOwn = call.name.equals(HASH_CODE) || call.name.equals(TO_STRING);
        if (isOwn && call.desc.startsWith("()") && call.getOpcode() != Opcodes.INVOKESTATIC) {
          calledOn(by, line, call, argument);
        }
      }
    }
  }

  private void calledOn(Declared by, int line, MethodInsnNode call, @Nullable TypeUse receiver) {
    boolean isObject = call.owner.equals("java/lang/Object");
    boolean isMade =
        Origin.of(call) instanceof MethodInsnNode made
            && made.name.equals(CONSTRUCTOR)
            && made.owner.equals("java/lang/Object");
    if (isObject && (isMade || call.getOpcode() == Opcodes.INVOKESPECIAL)) {
      add(by, line, call.name, "Object");
      return;
    }
    TypeUse type =
        receiver == null || receiver.name().equals("java/lang/Object")
            ? TypeUse.ofClass(call.owner)
            : receiver;
    if (identity.gives(call.name, type)) {
      add(by, line, call.name, type.simpleName());
    }
  }

  /** What was put into the array of arguments. */
  private void hashed(Declared by, int line, MethodInsnNode call) {
    AbstractInsnNode at = Origin.before(call);
    while (at != null && at.getOpcode() != Opcodes.ANEWARRAY) {
      if (at.getOpcode() == Opcodes.AASTORE) {
        taken(by, line, HASH_CODE, Origin.type(by.method(), at, code));
      }
      at = Origin.before(at);
    }
  }

  private void made(Declared by, int line, InvokeDynamicInsnNode made) {
    ByIdentity.joined(made).forEach(each -> taken(by, line, TO_STRING, each));
    boolean isReference =
        made.bsmArgs.length > 2
            && made.bsmArgs[1] instanceof Handle handle
            && (handle.getName().equals(HASH_CODE) || handle.getName().equals(TO_STRING))
            && handle.getDesc().startsWith("()");
    if (isReference && made.bsmArgs[2] instanceof Type function) {
      String name = ((Handle) made.bsmArgs[1]).getName();
      for (Type each : function.getArgumentTypes()) {
        taken(by, line, name, TypeUse.of(each.getDescriptor()));
      }
    }
  }

  private void taken(Declared by, int line, String method, @Nullable TypeUse type) {
    if (type == null) {
      return;
    }
    Source ofType = ProcessSources.of(type.name(), method, "()");
    if (identity.gives(method, type) || ofType != null) {
      add(by, line, method, type.simpleName());
    }
  }

  private void add(Declared by, int line, String method, String type) {
    String remedy = method.equals(HASH_CODE) ? HASH : TEXT;
    found.accept(by.finding(line, "calls", type + "." + method, remedy, false));
  }

  private void kept(Declared by, int line, AbstractInsnNode store, @Nullable TypeUse declared) {
    String made = hashing(Origin.of(store));
    List<TypeUse> arguments = declared == null ? List.of() : declared.arguments();
    if (made != null && !arguments.isEmpty() && identity.gives(HASH_CODE, arguments.getFirst())) {
      String what = made + " of " + arguments.getFirst().simpleName();
      found.accept(by.finding(line, "makes a", what, ORDER, false));
    }
  }

  /** The kind of hash set or map that an instruction makes; null if it makes none. */
  private static @Nullable String hashing(@Nullable AbstractInsnNode maker) {
    if (!(maker instanceof MethodInsnNode call)) {
      return null;
    }
    if (HASHING.contains(call.owner) && MAKING.contains(call.name)) {
      return TypeUse.ofClass(call.owner).simpleName();
    }
    boolean collects = call.owner.equals("java/util/stream/Stream") && call.name.equals("collect");
    return collects && Origin.before(call) instanceof MethodInsnNode collector
        ? collected(collector)
        : null;
  }

  private static @Nullable String collected(MethodInsnNode collector) {
    String parameters = collector.desc.substring(0, collector.desc.indexOf(')') + 1);
    boolean isHashing =
        collector.owner.equals("java/util/stream/Collectors")
            && COLLECTING.contains(collector.name + parameters);
    String kind = collector.name.equals("toSet") ? "Set" : "Map";
    return isHashing ? kind : null;
  }
}
