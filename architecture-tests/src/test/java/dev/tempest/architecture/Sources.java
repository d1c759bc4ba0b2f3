package dev.tempest.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;

/** Every Java file of the project, parsed once but not compiled. */
final class Sources {
  /** The folder that holds all modules. */
  static final Path ROOT = root();

  private static final Sources ALL = new Sources();

  private final List<Path> files;
  private final List<CompilationUnitTree> units;
  private final Trees trees;

  private Sources() {
    try (var found = Files.walk(ROOT)) {
      files = found.filter(Sources::isSource).sorted().toList();
      var compiler = ToolProvider.getSystemJavaCompiler();
      try (var fileManager = compiler.getStandardFileManager(null, null, null)) {
        var sources = fileManager.getJavaFileObjectsFromPaths(files);
        var task = (JavacTask) compiler.getTask(null, fileManager, null, null, null, sources);
        trees = Trees.instance(task);
        units = List.copyOf((List<? extends CompilationUnitTree>) task.parse());
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static List<Path> files() {
    return ALL.files;
  }

  static List<CompilationUnitTree> units() {
    return ALL.units;
  }

  static Trees trees() {
    return ALL.trees;
  }

  /** The path of a file as messages show it. */
  static Path pathOf(CompilationUnitTree unit) {
    return ROOT.relativize(Path.of(unit.getSourceFile().toUri()));
  }

  /** The folder of the module that holds a file. */
  static String moduleOf(CompilationUnitTree unit) {
    String path = pathOf(unit).toString();
    return path.substring(0, path.indexOf("/src/"));
  }

  private static boolean isSource(Path path) {
    var inside = ROOT.relativize(path);
    return path.toString().endsWith(".java") && inside.getNameCount() > 1 && !isBuilt(inside);
  }

  private static boolean isBuilt(Path inside) {
    for (Path name : inside) {
      if (name.toString().equals("target") || name.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  private static Path root() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("config/forbidden-apis"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("run inside the project: no config/forbidden-apis above");
      }
    }
    return folder;
  }
}
