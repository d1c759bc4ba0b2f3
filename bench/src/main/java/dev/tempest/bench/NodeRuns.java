package dev.tempest.bench;

import java.io.File;
import java.io.IOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolutionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nodes of an application that does nothing else, on one Java, with no option of it but the size of
 * the heap: how fast they start, and what they take when they are idle.
 *
 * @param java its number
 */
record NodeRuns(Run run, String java, JavaCommand command) {
  /** By its name only: it runs on a class path and a Java of its own. */
  private static final String APPLICATION = "dev.tempest.embedding";

  private static final String NODE_PROGRAM = APPLICATION + ".NodeProgram";

  private static final List<String> IDLE_OPTIONS = List.of("-Xmx64m");

  /** On this Java, and on 21 if there is one. */
  static List<NodeRuns> onEachJava(Run run) {
    String classPath = embedded(JavaCommand.PLAIN.classPath());
    JavaCommand own = new JavaCommand(JavaCommand.PLAIN.javaHome(), classPath, List.of(), false);
    NodeRuns here = new NodeRuns(run, String.valueOf(Runtime.version().feature()), own);
    String home = System.getenv("JAVA21_HOME");
    return home == null
        ? List.of(here)
        : List.of(
            here,
            new NodeRuns(run, "21", new JavaCommand(Path.of(home), classPath, List.of(), false)));
  }

  /**
   * The application and what module descriptors say that it requires, and nothing that only
   * benchmarks need; all of the class path where there are no descriptors.
   */
  private static String embedded(String classPath) {
    Path[] elements =
        Stream.of(classPath.split(File.pathSeparator, -1)).map(Path::of).toArray(Path[]::new);
    try {
      return ModuleLayer.boot()
          .configuration()
          .resolve(ModuleFinder.of(elements), ModuleFinder.of(), Set.of(APPLICATION))
          .modules()
          .stream()
          .map(module -> Path.of(module.reference().location().orElseThrow()).toString())
          .collect(Collectors.joining(File.pathSeparator));
    } catch (FindException | ResolutionException none) {
      return classPath;
    }
  }

  private Path log() {
    return run.log().resolveSibling("nodes-jdk%s.log".formatted(java));
  }

  /**
   * Starts a process without a node, then a node that puts, then one that waits for what the other
   * has put.
   */
  void start() throws IOException, InterruptedException {
    String cluster = Processes.newClusterName();
    try (Processes processes = new Processes(log())) {
      run.add(
          Point.of(
              "java", java,
              "emptyProcessMillis", millisUntilReady(processes, cluster, "nothing"),
              "firstPutMillis", millisUntilReady(processes, cluster, "put"),
              "secondSeesMillis", millisUntilReady(processes, cluster, "await")));
    }
  }

  private double millisUntilReady(Processes processes, String cluster, String what)
      throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    processes.start("node", command.line(NODE_PROGRAM, cluster, what));
    return (System.nanoTime() - startNanos) / 1e6;
  }

  /**
   * Measures two nodes that are idle together: alone, one has nobody to keep in touch with.
   *
   * @param calm before and after their garbage of the start is collected
   */
  void idle(Duration calm, Duration duration) throws IOException, InterruptedException {
    String cluster = Processes.newClusterName();
    JavaCommand idle = command.with(IDLE_OPTIONS);
    List<Child<?, ?>> nodes = new ArrayList<>();
    try (Processes processes = new Processes(log())) {
      for (String what : List.of("put", "await")) {
        nodes.add(processes.start("node", idle.line(NODE_PROGRAM, cluster, what)));
      }
      nodes.getFirst().run(calm);
      for (Child<?, ?> node : nodes) {
        node.askLine("g"); // Collects the garbage of the start.
      }
      nodes.getFirst().run(calm);
      List<Duration> before = nodes.stream().map(Child::processorTime).toList();
      long startNanos = System.nanoTime();
      nodes.getFirst().run(duration);
      for (int at = 0; at < nodes.size(); at++) {
        long used = nodes.get(at).processorTime().minus(before.get(at)).toNanos();
        Point point =
            Point.of(
                "java", java, "processorPercent", 100.0 * used / (System.nanoTime() - startNanos));
        Path status = Path.of("/proc", String.valueOf(nodes.get(at).pid()), "status");
        // As the kernel of Linux says.
        run.add(Files.exists(status) ? point.with("residentMegabytes", resident(status)) : point);
      }
    }
  }

  private static double resident(Path status) throws IOException {
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024 / 1e6)
        .sum();
  }

  /** Adds what the nodes complained of. */
  void warnings() throws IOException {
    List<String> lines =
        Files.readAllLines(log()).stream()
            .filter(line -> line.toLowerCase(Locale.ROOT).matches(".*(warning|severe|error).*"))
            .toList();
    run.add(Point.of("java", java, "warnings", lines.size(), "lines", lines));
  }
}
