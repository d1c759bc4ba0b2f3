package dev.tempest.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a process of a benchmark is run: by which Java, with which options, on which class path.
 * Immutable.
 */
record JavaCommand(Path javaHome, List<String> options, String classPath) {
  /**
   * The same for floors and systems. G1 is what a server gets by default: the serial collector
   * stops for half a second where updates of 1 kB wait by the hundred thousand to settle. Tenured
   * at once is how the launcher starts servers, and says why.
   */
  private static final List<String> MEASURED_OPTIONS =
      List.of("-Xms256m", "-Xmx2g", "-XX:+UseG1GC", "-XX:MaxTenuringThreshold=0");

  /** Names a system property with further options, for profilers. */
  private static final String FURTHER_OPTIONS = "dev.tempest.bench.jvm";

  /** Checks nothing: whether it runs is seen when it does. */
  JavaCommand {
    options = List.copyOf(options);
  }

  /** This process's Java and class path, and the options that all measured processes have. */
  static JavaCommand measured() {
    String further = System.getProperty(FURTHER_OPTIONS, "");
    List<String> options = new ArrayList<>(MEASURED_OPTIONS);
    Stream.of(further.split(" ", -1)).filter(option -> !option.isEmpty()).forEach(options::add);
    return new JavaCommand(ownJavaHome(), options, ownClassPath());
  }

  /** This process's Java and class path, and no options at all. */
  static JavaCommand plain() {
    return new JavaCommand(ownJavaHome(), List.of(), ownClassPath());
  }

  /** The same with further options. */
  JavaCommand withOptions(List<String> further) {
    List<String> all = new ArrayList<>(options);
    all.addAll(further);
    return new JavaCommand(javaHome, all, classPath);
  }

  /** The line that runs a class. */
  List<String> line(String mainClass, List<String> arguments) {
    List<String> line = new ArrayList<>();
    line.add(javaHome.resolve("bin").resolve("java").toString());
    line.addAll(options);
    line.add("-cp");
    line.add(classPath);
    line.add(mainClass);
    line.addAll(arguments);
    return line;
  }

  private static Path ownJavaHome() {
    return Path.of(System.getProperty("java.home"));
  }

  private static String ownClassPath() {
    return Stream.of("java.class.path", "jdk.module.path")
        .map(System::getProperty)
        .filter(path -> path != null && !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
