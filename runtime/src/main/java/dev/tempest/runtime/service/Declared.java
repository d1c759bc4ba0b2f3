package dev.tempest.runtime.service;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** A method and the class that declares it. */
record Declared(ClassNode in, MethodNode method) {
  static final String CLASS_INITIALIZER = "<clinit>";
  static final String CONSTRUCTOR = "<init>";

  boolean isStatic() {
    return (method.access & Opcodes.ACC_STATIC) != 0;
  }

  String signature() {
    return method.name + method.desc;
  }

  /** Whether it is what gives fields their first values. */
  boolean initializes(boolean isStatic) {
    return method.name.equals(isStatic ? CLASS_INITIALIZER : CONSTRUCTOR);
  }

  /** Whether it calls a method of one of these names. */
  boolean callsOneOf(Set<String> names) {
    if (names.isEmpty()) {
      return false;
    }
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof MethodInsnNode call && names.contains(call.name)) {
        return true;
      }
    }
    return false;
  }

  Finding finding(int line, String verb, String what, String remedy, boolean isCertain) {
    String file = in.sourceFile == null ? "no file named" : in.sourceFile;
    String place = line == 0 ? file : file + ":" + line;
    return new Finding(
        in.name.replace('/', '.'), inSource(method.name), place, verb, what, remedy, isCertain);
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
