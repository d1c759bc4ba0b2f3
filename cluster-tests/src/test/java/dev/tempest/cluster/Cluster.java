package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster of processes, each on a host of its own, for all tests of a class. Shows what they said
 * when a test fails; skips the class where there can be no such network.
 */
final class Cluster implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private static final int HEAP_MEGABYTES = 64;

  private final int hosts;
  private final String[] arguments;
  private final List<HostProcess> running = new ArrayList<>();

  /**
   * How many rounds of writes those made that have come to rest, and of which all must be there.
   */
  private final SortedMap<String, Integer> rounds = new TreeMap<>();

  private @Nullable Network network;
  private @Nullable Path folder;
  private int started;
  private boolean writing;

  private Cluster(int hosts, String... arguments) {
    this.hosts = hosts;
    this.arguments = arguments;
  }

  /** On so many hosts, with these arguments for all processes beside their names. */
  static Cluster of(int hosts, String... arguments) {
    return new Cluster(hosts, arguments);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    network = Network.of(hosts);
    folder = Files.createTempDirectory("tempest-cluster-");
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      for (HostProcess node : running) {
        System.out.println("--- " + node + " said:\n" + node.output());
      }
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    for (HostProcess node : running) {
      node.kill();
    }
    if (network != null) {
      network.close();
    }
    if (folder != null) {
      Files.delete(folder);
    }
  }

  Network network() {
    if (network == null) {
      throw new IllegalStateException("there is no network before the tests");
    }
    return network;
  }

  List<HostProcess> running() {
    return running;
  }

  /** Starts a process on every host that has none, all at once, and waits until they are in. */
  void startMissing() throws IOException, InterruptedException {
    Path where = Path.of(String.valueOf(folder)); // No file is in it, so nothing is configured.
    List<HostProcess> starting = new ArrayList<>();
    for (int host = 1; host <= hosts; host++) {
      int wanted = host;
      if (running.stream().noneMatch(node -> node.host() == wanted)) {
        String name = "n" + host + "." + ++started;
        starting.add(
            HostProcess.start(
                network(), host, HEAP_MEGABYTES, NodeProgram.class, name, where, arguments));
      }
    }
    running.addAll(starting);
    for (HostProcess node : starting) {
      node.awaitReady();
      if (!writing) {
        assertThat(node.ask(missing())).as("missing at %s, which has just joined", node).isEmpty();
      }
    }
    awaitMembers();
  }

  /** What it has written so far stays among what must be there. */
  void terminate(HostProcess node) throws InterruptedException {
    node.terminate();
    running.remove(node);
  }

  /** What it has written since it last came to rest may be lost. */
  void kill(HostProcess node) throws InterruptedException {
    node.kill();
    running.remove(node);
  }

  /** All processes write, round after round, with pauses. */
  void write(long pauseMillis) throws IOException, InterruptedException {
    writing = true;
    for (HostProcess node : running) {
      node.ask("write " + pauseMillis);
    }
  }

  /** All writers come to rest; what they were told to have written is from now on required. */
  void rest() throws IOException, InterruptedException {
    for (HostProcess node : running) {
      node.tell("rest");
    }
    for (HostProcess node : running) {
      rounds.put(node.name(), Integer.parseInt(node.heard()));
    }
    writing = false;
  }

  /** Lets the processes do what they do, and meet the faults that the test has made. */
  static void pass(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }

  /** Waits until all see the same members: those that run, and no others. */
  void awaitMembers() {
    Set<String> expected = new TreeSet<>();
    running.forEach(node -> expected.add(node.address()));
    running.forEach(node -> awaitMembers(node, expected));
  }

  /** Waits until each sees only itself. */
  void awaitAlone() {
    running.forEach(node -> awaitMembers(node, Set.of(node.address())));
  }

  private void awaitMembers(HostProcess node, Set<String> expected) {
    eventually(
        node + " to see the members " + expected,
        () -> {
          List<String> seen = List.of(node.ask("members").split(" ", -1));
          return seen.size() == expected.size() && expected.equals(new TreeSet<>(seen));
        });
  }

  /** Waits until all have equal contents, with every write that was acknowledged in it. */
  void awaitEqual(String after) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    long startCpuMillis = cpuMillis();
    eventually("equal contents, nothing missing, " + after, this::areEqual);
    System.out.printf(
        "cluster tests: %d nodes, %d rounds of writes, equal and complete %d ms %s; %d ms of CPU%n",
        running.size(),
        rounds.values().stream().mapToInt(Integer::intValue).sum(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos),
        after,
        cpuMillis() - startCpuMillis);
  }

  /** What all processes have used until now. */
  private long cpuMillis() {
    return running.stream().mapToLong(HostProcess::cpuMillis).sum();
  }

  private boolean areEqual() throws IOException, InterruptedException {
    return askAll("hash").size() == 1 && askAll(missing()).equals(Set.of(""));
  }

  private String missing() {
    StringBuilder command = new StringBuilder("missing");
    rounds.forEach((name, count) -> command.append(' ').append(name).append('=').append(count));
    return command.toString();
  }

  private Set<String> askAll(String command) throws IOException, InterruptedException {
    for (HostProcess node : running) {
      node.tell(command);
    }
    Set<String> answers = new TreeSet<>();
    for (HostProcess node : running) {
      answers.add(node.heard());
    }
    return answers;
  }

  private void eventually(String what, Callable<Boolean> condition) {
    Eventually.eventually(what, condition, this::what);
  }

  /** What every node thinks, for the reader of a failure. */
  private String what() throws IOException, InterruptedException {
    StringBuilder what = new StringBuilder();
    for (HostProcess node : running) {
      for (String question : List.of("members", "hash", missing())) {
        what.append("\n").append(node).append(": ").append(node.ask(question));
      }
    }
    return what.toString();
  }
}
