package dev.tempest.runtime.service;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;

/**
 * A type as a variable or a field declares it, {@code Set<Color>}.
 *
 * @param name internal; that of an array is its descriptor
 */
record TypeUse(String name, List<TypeUse> arguments) {
  /** The type that a descriptor or a signature says. */
  static TypeUse of(String signature) {
    if (signature.startsWith("[")) {
      return new TypeUse(signature, List.of());
    }
    Reader reader = new Reader();
    new SignatureReader(signature).acceptType(reader);
    return reader.type();
  }

  static TypeUse ofClass(String internalName) {
    return new TypeUse(internalName, List.of());
  }

  boolean isArray() {
    return name.startsWith("[");
  }

  /** Without package and enclosing classes, as people say it. */
  String simpleName() {
    String full = isArray() ? Type.getType(name).getClassName() : name;
    String inPackage = full.substring(Math.max(full.lastIndexOf('/'), full.lastIndexOf('.')) + 1);
    int inner = inPackage.lastIndexOf('$') + 1;
    boolean hasName = inner < inPackage.length() && Character.isLetter(inPackage.charAt(inner));
    return hasName ? inPackage.substring(inner) : inPackage;
  }

  private static final class Reader extends SignatureVisitor {
    private final List<Reader> arguments = new ArrayList<>();
    private String name = "java/lang/Object"; // Of a type variable, as far as is known.

    Reader() {
      super(Opcodes.ASM9);
    }

    TypeUse type() {
      return new TypeUse(name, arguments.stream().map(Reader::type).toList());
    }

    @Override
    public void visitBaseType(char descriptor) {
      name = String.valueOf(descriptor);
    }

    @Override
    public SignatureVisitor visitArrayType() {
      name = "[Ljava/lang/Object;";
      return new Reader();
    }

    @Override
    public void visitClassType(String internalName) {
      name = internalName;
    }

    @Override
    public void visitInnerClassType(String innerName) {
      name += "$" + innerName;
    }

    @Override
    public SignatureVisitor visitTypeArgument(char wildcard) {
      Reader argument = new Reader();
      arguments.add(argument);
      return argument;
    }
  }
}
