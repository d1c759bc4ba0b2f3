package dev.tempest.bench;

import dev.tempest.bench.JoinProgram.Request;
import dev.tempest.bench.JoinProgram.What;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Processes with a {@link JoinProgram} each. What they have is lost when this is closed. */
final class JoinCluster implements AutoCloseable {
  /** A gigabyte takes a while to fill in, to send, and to write. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private final String name = Processes.newClusterName();
  private final List<Child<Request, List<Point>>> nodes = new ArrayList<>();
  private final Child<Duration, String> other;
  private final List<String> addresses;
  private final int here;
  private final JavaCommand java;
  private final Processes processes;
  private final Path folder;

  /**
   * Starts processes, whose nodes have not joined yet.
   *
   * @param here how many of them are measured; the others stand for machines of their own
   */
  JoinCluster(Run run, JavaCommand java, int here, int count)
      throws IOException, InterruptedException {
    this.here = here;
    addresses = FreePorts.find(count).stream().map(port -> "127.0.0.1:" + port).toList();
    this.java = java;
    folder = Files.createTempDirectory("tempest-bench-join-");
    processes = new Processes(run.log());
    while (nodes.size() < count) {
      nodes.add(start(nodes.size()));
    }
    Program<Duration, String> loop = () -> new BusyLoops(1);
    other = processes.start("other work", java.givingWay(), List.of(loop)).getFirst();
  }

  /** Each knows the others, and has a folder for the checkpoint that it writes when it leaves. */
  private Child<Request, List<Point>> start(int node) throws IOException, InterruptedException {
    List<String> ownFirst = new ArrayList<>(addresses);
    Collections.rotate(ownFirst, -node);
    List<String> all = List.copyOf(ownFirst);
    String cluster = name;
    String checkpoints = folder.resolve(String.valueOf(node)).toString();
    Program<Request, List<Point>> program = () -> new JoinProgram(cluster, all, checkpoints);
    JavaCommand its = node < here ? java : java.givingWay();
    return processes.start("node", its, List.of(program)).getFirst();
  }

  /** Has a node do something, and waits until it is done. */
  List<Point> ask(int node, What what, int number) throws IOException, InterruptedException {
    return nodes.get(node).ask(new Request(what, number), LONG);
  }

  /** Has a node begin with something; {@link #heard} waits until it is done. */
  void tell(int node, What what, int number) throws IOException {
    nodes.get(node).tell(new Request(what, number));
  }

  /** What the node answers to what it was told. */
  List<Point> heard(int node) throws IOException, InterruptedException {
    return nodes.get(node).answer(LONG);
  }

  /** Joins a node until it has so many entries: how long that took, and what the network did. */
  Point join(int node, int entries) throws IOException, InterruptedException {
    long bytes = Loopback.bytes();
    Point joined = ask(node, What.JOIN, entries).getFirst();
    long sent = Loopback.bytes() - bytes;
    return sent > 0 ? joined.with("loopbackBytes", sent) : joined;
  }

  /** Lets a node leave with a checkpoint, and starts its process again. */
  void leave(int node) throws IOException, InterruptedException {
    ask(node, What.LEAVE, 0);
    nodes.get(node).close();
    nodes.set(node, start(node));
  }

  /** Has another process compute so long that stands for a machine of its own, too. */
  void computeBeside(Duration time) throws IOException {
    other.tell(time);
  }

  /** Lets the nodes go on until each that is measured has so many seconds between then and now. */
  void passSeconds(int number) throws IOException, InterruptedException {
    for (int node = 0; node < here; node++) {
      tell(node, What.AWAIT_SECONDS, number);
    }
    for (int node = 0; node < here; node++) {
      heard(node);
    }
  }

  @Override
  public void close() throws IOException {
    processes.close();
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
