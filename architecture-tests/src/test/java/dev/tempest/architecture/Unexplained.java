package dev.tempest.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/** Finds the public types and members of a file that have no Javadoc. */
final class Unexplained extends TreePathScanner<@Nullable Void, @Nullable Void> {
  private final CompilationUnitTree unit;
  private final List<String> found = new ArrayList<>();

  private Unexplained(CompilationUnitTree unit) {
    this.unit = unit;
  }

  static List<String> in(CompilationUnitTree unit) {
    var scanner = new Unexplained(unit);
    scanner.scan(unit, null);
    return scanner.found;
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
    if (!isPublic(type.getModifiers())) {
      return null; // Nothing inside can be reached from outside.
    }
    requireComment(type.getSimpleName().toString());
    return super.visitClass(type, null);
  }

  @Override
  public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
    boolean inherited = method.getModifiers().getAnnotations().toString().contains("@Override");
    if (isPublic(method.getModifiers()) && !inherited && !isOfRecord(method)) {
      requireComment(method.getName() + "(" + method.getParameters() + ")");
    }
    return null; // Local and anonymous classes are nobody's API.
  }

  @Override
  public @Nullable Void visitVariable(VariableTree field, @Nullable Void unused) {
    if (field.getModifiers().getFlags().contains(Modifier.STATIC)
        && isPublic(field.getModifiers())
        && enclosing().getKind() != Tree.Kind.ENUM) {
      requireComment(field.getName().toString());
    }
    return null;
  }

  /** The canonical constructor of a record is explained where its components are. */
  private boolean isOfRecord(MethodTree method) {
    return enclosing().getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
  }

  private boolean isPublic(ModifiersTree modifiers) {
    var flags = modifiers.getFlags();
    return flags.contains(Modifier.PUBLIC)
        || flags.contains(Modifier.PROTECTED)
        || (isInterface(enclosing().getKind()) && !flags.contains(Modifier.PRIVATE));
  }

  private static boolean isInterface(Tree.Kind kind) {
    return kind == Tree.Kind.INTERFACE || kind == Tree.Kind.ANNOTATION_TYPE;
  }

  private Tree enclosing() {
    TreePath parent = getCurrentPath().getParentPath();
    return parent.getLeaf();
  }

  private void requireComment(String name) {
    String comment = Sources.trees().getDocComment(getCurrentPath());
    if (comment == null || comment.isBlank()) {
      long position =
          Sources.trees().getSourcePositions().getStartPosition(unit, getCurrentPath().getLeaf());
      long line = unit.getLineMap().getLineNumber(position);
      found.add(Sources.pathOf(unit) + ":" + line + " " + name);
    }
  }
}
