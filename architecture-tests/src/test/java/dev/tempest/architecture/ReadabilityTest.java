package dev.tempest.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sizes that fit a reader's head, and names that say something. */
final class ReadabilityTest {
  private static final int FILE_LINES_MAX = 500;
  private static final int METHOD_LINES_MAX = 60;
  private static final Pattern EMPTY_NAME =
      Pattern.compile(".*(Utils?|Helpers?|Manager|Impl|Processor)");

  /** Where something is what another project calls so. */
  private static final Set<String> NAMED_BY_OTHERS = Set.of("TempestManager");

  @Test
  void filesHaveAtMost500Lines() {
    var tooLong = new TreeSet<String>();
    for (var unit : Sources.units()) {
      long lines = lineOf(unit, Sources.trees().getSourcePositions().getEndPosition(unit, unit));
      if (lines > FILE_LINES_MAX) {
        tooLong.add(Sources.pathOf(unit) + ": " + lines + " lines");
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void methodsHaveAtMost60Lines() {
    var tooLong = new TreeSet<String>();
    for (var unit : Sources.units()) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
          long lines = linesOf(unit, method);
          if (lines > METHOD_LINES_MAX) {
            tooLong.add(Sources.pathOf(unit) + " " + method.getName() + ": " + lines + " lines");
          }
          return super.visitMethod(method, null);
        }
      }.scan(unit, null);
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void noNameIsEmpty() {
    var empty = new TreeSet<String>();
    for (var unit : Sources.units()) {
      new TreeScanner<@Nullable Void, @Nullable Void>() {
        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
          String name = type.getSimpleName().toString();
          if (EMPTY_NAME.matcher(name).matches() && !NAMED_BY_OTHERS.contains(name)) {
            empty.add(Sources.pathOf(unit) + " " + type.getSimpleName());
          }
          return super.visitClass(type, null);
        }
      }.scan(unit, null);
    }
    assertThat(empty).as("say what it is, not that it helps, manages or implements").isEmpty();
  }

  @Test
  void whatIsExportedIsExplained() {
    Set<String> unexplained = new TreeSet<>();
    var exported = ArrowsTest.exportedPackages();
    for (var unit : Sources.units()) {
      if (unit.getPackage() != null
          && exported.contains(unit.getPackage().getPackageName().toString())
          && Sources.pathOf(unit).toString().contains("src/main/java")) {
        unexplained.addAll(Unexplained.in(unit));
      }
    }
    assertThat(unexplained).as("public and without Javadoc").isEmpty();
  }

  private static long linesOf(CompilationUnitTree unit, Tree tree) {
    var positions = Sources.trees().getSourcePositions();
    return lineOf(unit, positions.getEndPosition(unit, tree))
        - lineOf(unit, positions.getStartPosition(unit, tree))
        + 1;
  }

  private static long lineOf(CompilationUnitTree unit, long position) {
    return unit.getLineMap().getLineNumber(position);
  }
}
