package dev.tempest.runtime.service;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Where the value on top of the stack comes from, as far as the code just before tells. Of two
 * branches it knows the one that is written later.
 */
final class Origin {
  private Origin() {}

  /** The instruction before another; null at the beginning. */
  static @Nullable AbstractInsnNode before(AbstractInsnNode instruction) {
    AbstractInsnNode at = instruction.getPrevious();
    while (at != null && at.getOpcode() < 0) { // A label or the number of a line.
      at = at.getPrevious();
    }
    return at;
  }

  /** The instruction that made the value that {@code taker} takes; looks through variables. */
  static @Nullable AbstractInsnNode of(AbstractInsnNode taker) {
    AbstractInsnNode at = before(taker);
    while (at != null && at.getOpcode() == Opcodes.CHECKCAST) {
      at = before(at);
    }
    if (at instanceof VarInsnNode loaded && loaded.getOpcode() == Opcodes.ALOAD) {
      AbstractInsnNode store = before(at);
      while (store != null && !stores(store, loaded.var)) {
        store = before(store);
      }
      return store == null ? at : of(store);
    }
    return at;
  }

  private static boolean stores(AbstractInsnNode instruction, int variable) {
    return instruction.getOpcode() == Opcodes.ASTORE && ((VarInsnNode) instruction).var == variable;
  }

  /** The declared type of the value that {@code taker} takes; null if nothing says it. */
  static @Nullable TypeUse type(MethodNode method, AbstractInsnNode taker, ReachedCode code) {
    return switch (before(taker)) {
      case FieldInsnNode field -> field(field, code);
      case VarInsnNode variable -> variable(method, variable);
      case MethodInsnNode made when made.name.equals(Declared.CONSTRUCTOR) ->
          TypeUse.ofClass(made.owner);
      case MethodInsnNode call -> TypeUse.of(Type.getReturnType(call.desc).getDescriptor());
      case TypeInsnNode made when made.getOpcode() == Opcodes.ANEWARRAY ->
          TypeUse.of("[" + Type.getObjectType(made.desc).getDescriptor());
      case TypeInsnNode cast when cast.getOpcode() == Opcodes.CHECKCAST ->
          TypeUse.of(Type.getObjectType(cast.desc).getDescriptor());
      case IntInsnNode made when made.getOpcode() == Opcodes.NEWARRAY ->
          TypeUse.of("[" + "ZCFDBSIJ".charAt(made.operand - Opcodes.T_BOOLEAN));
      case MultiANewArrayInsnNode made -> TypeUse.of(made.desc);
      case null, default -> null;
    };
  }

  /** The declared type of a field, with its type arguments if its class can be read. */
  static TypeUse field(FieldInsnNode field, ReachedCode code) {
    String declared =
        code.find(field.owner).stream()
            .flatMap(model -> model.fields.stream())
            .filter(each -> each.name.equals(field.name) && each.signature != null)
            .map((FieldNode each) -> each.signature)
            .findFirst()
            .orElse(field.desc);
    return TypeUse.of(declared);
  }

  /** The declared type of a variable; null if the class was compiled without their names. */
  static @Nullable TypeUse variable(MethodNode method, VarInsnNode use) {
    if (method.localVariables == null) {
      return null;
    }
    int at = method.instructions.indexOf(use);
    for (LocalVariableNode each : method.localVariables) {
      // A variable begins with the label after its first value.
      boolean isThere =
          method.instructions.indexOf(each.start) <= at + 1
              && at < method.instructions.indexOf(each.end);
      if (each.index == use.var && isThere) {
        return TypeUse.of(each.signature == null ? each.desc : each.signature);
      }
    }
    return null;
  }
}
