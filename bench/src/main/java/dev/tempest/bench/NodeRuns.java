package dev.tempest.bench;

import dev.tempest.bench.load.ChildProcess;
import dev.tempest.bench.load.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of an application that does nothing else, on one Java, with no option of it but the size of
 * the heap: how fast they start, and what they take when they are idle.
 */
final class NodeRuns {
  /** So many nodes are idle together: alone, a node has nobody to keep in touch with. */
  private static final int IDLE_NODES = 2;

  private static final List<String> IDLE_OPTIONS = List.of("-Xmx64m");
  private static final Duration CALM = Duration.ofSeconds(3);

  private final String java;
  private final JavaCommand command;
  private final Path log;
  private final List<Double> nothingMillis = new ArrayList<>();
  private final List<Double> firstPutMillis = new ArrayList<>();
  private final List<Double> secondSeesMillis = new ArrayList<>();
  private final List<Double> residentMegabytes = new ArrayList<>();
  private final List<Double> processorPercent = new ArrayList<>();

  private NodeRuns(String java, JavaCommand command, Path log) {
    this.java = java;
    this.command = command;
    this.log = log;
  }

  /** On this Java, and on 21 if there is one. */
  static List<NodeRuns> onEachJava(ResultFolder results) {
    JavaCommand plain = JavaCommand.plain();
    JavaCommand own = plain.withClassPath(EmbeddedClassPath.within(plain.classPath()));
    List<NodeRuns> all = new ArrayList<>();
    String version = String.valueOf(Runtime.version().feature());
    all.add(new NodeRuns(version, own, results.path().resolve("nodes-jdk" + version + ".log")));
    String home = System.getenv("JAVA21_HOME");
    if (home != null) {
      all.add(new NodeRuns("21", own.on(Path.of(home)), results.path().resolve("nodes-jdk21.log")));
    }
    return all;
  }

  /** The number of the Java. */
  String java() {
    return java;
  }

  /**
   * Starts a process without a node, then a node that puts, then one that waits for what the other
   * has put.
   */
  void start(String benchmark, ResultFolder results) throws IOException, InterruptedException {
    try (Processes processes = new Processes(log)) {
      String cluster = Processes.newClusterName();
      nothingMillis.add(millisUntilReady(processes, cluster, "nothing"));
      firstPutMillis.add(millisUntilReady(processes, cluster, "put"));
      secondSeesMillis.add(millisUntilReady(processes, cluster, "await"));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("benchmark", benchmark);
    fields.put("runtime", java);
    fields.put("emptyProcessMillis", nothingMillis.getLast());
    fields.put("firstPutMillis", firstPutMillis.getLast());
    fields.put("secondSeesMillis", secondSeesMillis.getLast());
    results.addLine(JsonLine.of(fields));
  }

  private double millisUntilReady(Processes processes, String cluster, String what)
      throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    processes.node(command, cluster, what).awaitReady();
    return (System.nanoTime() - startNanos) / 1e6;
  }

  /** Measures all at the same time. */
  static void idle(List<NodeRuns> all, Duration duration) throws IOException, InterruptedException {
    List<Processes> started = new ArrayList<>();
    Map<ChildProcess, NodeRuns> nodes = new LinkedHashMap<>();
    try {
      for (NodeRuns runs : all) {
        Processes processes = new Processes(runs.log);
        started.add(processes);
        for (ChildProcess node : runs.startIdle(processes)) {
          nodes.put(node, runs);
        }
      }
      measureIdle(nodes, duration);
    } finally {
      started.forEach(Processes::close);
    }
  }

  private List<ChildProcess> startIdle(Processes processes)
      throws IOException, InterruptedException {
    String cluster = Processes.newClusterName();
    List<ChildProcess> nodes = new ArrayList<>();
    for (int index = 0; index < IDLE_NODES; index++) {
      String what = index == 0 ? "put" : "await";
      ChildProcess node = processes.node(command.withOptions(IDLE_OPTIONS), cluster, what);
      node.awaitReady();
      nodes.add(node);
    }
    return nodes;
  }

  private static void measureIdle(Map<ChildProcess, NodeRuns> nodes, Duration duration)
      throws IOException, InterruptedException {
    Thread.sleep(CALM);
    for (ChildProcess node : nodes.keySet()) {
      node.ask("g", CALM); // Collects the garbage of the start.
    }
    Thread.sleep(CALM);
    Map<ChildProcess, Duration> before = new LinkedHashMap<>();
    nodes.keySet().forEach(node -> before.put(node, node.processorTime()));
    long startNanos = System.nanoTime();
    Thread.sleep(duration);
    for (var entry : before.entrySet()) {
      long used = entry.getKey().processorTime().minus(entry.getValue()).toNanos();
      NodeRuns runs = nodes.get(entry.getKey());
      if (runs != null) {
        runs.processorPercent.add(100.0 * used / (System.nanoTime() - startNanos));
        runs.residentMegabytes.add(residentBytes(entry.getKey().pid()) / 1e6);
      }
    }
  }

  /** As the kernel of Linux says; not a number elsewhere. */
  private static double residentBytes(long pid) throws IOException {
    Path status = Path.of("/proc", String.valueOf(pid), "status");
    if (!Files.exists(status)) {
      return Double.NaN;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1_024.0;
      }
    }
    throw new IOException("no VmRSS in " + status);
  }

  /** How long a process takes that has no node, milliseconds; null if none was started. */
  @Nullable Spread emptyProcess() {
    return nothingMillis.isEmpty() ? null : Spread.of(nothingMillis);
  }

  /** What the nodes complained of, line by line. */
  List<String> warnings() throws IOException {
    if (!Files.exists(log)) {
      return List.of();
    }
    return Files.readAllLines(log).stream()
        .filter(line -> line.toLowerCase(Locale.ROOT).matches(".*(warning|severe|error).*"))
        .toList();
  }

  /** What the issue of this library's beginning asks of a node, beside what was measured. */
  List<Goal> goals() throws IOException {
    List<Goal> goals = new ArrayList<>();
    String on = ", JDK " + java;
    add(goals, "first put of a fresh process" + on, "ms", 1_000, firstPutMillis);
    add(goals, "second process sees it after its start" + on, "ms", 600, secondSeesMillis);
    add(goals, "processor, idle node" + on, "%", 1, processorPercent);
    add(goals, "resident memory, idle node, 64 MB heap" + on, "MB", 80, residentMegabytes);
    add(goals, "warnings" + on, "", 0, List.of((double) warnings().size()));
    return goals;
  }

  private static void add(
      List<Goal> goals, String what, String unit, double most, List<Double> values) {
    if (!values.isEmpty() && !values.getFirst().isNaN()) {
      goals.add(new Goal(what, unit, most, Spread.of(values)));
    }
  }
}
