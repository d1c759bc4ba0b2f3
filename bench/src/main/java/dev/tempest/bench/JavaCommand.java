package dev.tempest.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a process is run: by which Java, on which class path, with which options. Immutable. */
record JavaCommand(Path javaHome, String classPath, List<String> options, boolean givesWay) {
  /** As this process, and with no options at all. */
  static final JavaCommand PLAIN =
      new JavaCommand(Path.of(System.getProperty("java.home")), ownClassPath(), List.of(), false);

  /**
   * The same for floors and systems. G1 is what a server gets by default: the serial collector
   * stops for half a second where updates of 1 kB wait by the hundred thousand to settle. Tenured
   * at once is how the launcher starts servers, and says why.
   */
  static final JavaCommand MEASURED =
      PLAIN.with(List.of("-Xms256m", "-Xmx2g", "-XX:+UseG1GC", "-XX:MaxTenuringThreshold=0"));

  /** The same with further options. */
  JavaCommand with(List<String> further) {
    List<String> all = Stream.concat(options.stream(), further.stream()).toList();
    return new JavaCommand(javaHome, classPath, all, givesWay);
  }

  /** The same, of a process that takes what others leave of the machine: as if it had its own. */
  JavaCommand givingWay() {
    return new JavaCommand(javaHome, classPath, options, true);
  }

  /** The line that runs a class. */
  List<String> line(String mainClass, String... arguments) {
    List<String> line = new ArrayList<>();
    if (givesWay) {
      line.addAll(List.of("chrt", "--idle", "0"));
    }
    line.add(javaHome.resolve("bin").resolve("java").toString());
    line.addAll(options);
    line.addAll(List.of("-cp", classPath, mainClass));
    line.addAll(List.of(arguments));
    return line;
  }

  private static String ownClassPath() {
    return Stream.of("java.class.path", "jdk.module.path")
        .map(name -> System.getProperty(name, ""))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
