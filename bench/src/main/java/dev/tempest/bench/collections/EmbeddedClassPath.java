package dev.tempest.bench.collections;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolutionException;
import java.lang.module.ResolvedModule;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The class path of an application that embeds nodes, and nothing that only benchmarks need. */
final class EmbeddedClassPath {
  private static final String APPLICATION = "dev.tempest.embedding";

  private EmbeddedClassPath() {}

  /**
   * The application and what module descriptors say that it requires; all of {@code classPath}
   * where there are no descriptors.
   */
  static String within(String classPath) {
    Path[] elements =
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
            .splitAsStream(classPath)
            .map(Path::of)
            .toArray(Path[]::new);
    Set<ResolvedModule> modules;
    try {
      modules =
          Configuration.resolve(
                  ModuleFinder.of(elements),
                  List.of(ModuleLayer.boot().configuration()),
                  ModuleFinder.of(),
                  Set.of(APPLICATION))
              .modules();
    } catch (FindException | ResolutionException none) {
      return classPath;
    }
    if (modules.isEmpty()) {
      return classPath;
    }
    return modules.stream()
        .map(module -> Path.of(module.reference().location().orElseThrow()).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
