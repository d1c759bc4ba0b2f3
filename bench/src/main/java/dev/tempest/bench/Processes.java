package dev.tempest.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The processes of an experiment, all on loopback. Closing ends them all. */
final class Processes implements AutoCloseable {
  private final Path log;
  private final List<Child<?, ?>> started = new ArrayList<>();

  /**
   * No processes yet.
   *
   * @param log takes what the processes write to their standard error
   */
  Processes(Path log) {
    this.log = log;
  }

  /** Starts a process as all are that are measured, and waits until it is ready. */
  <Q, A> Child<Q, A> start(String name, Program<Q, A> program)
      throws IOException, InterruptedException {
    return start(name, JavaCommand.MEASURED, List.of(program)).getFirst();
  }

  /** Starts processes at once, and waits until all are ready. */
  <Q, A> List<Child<Q, A>> start(
      String name, JavaCommand java, List<? extends Program<Q, A>> programs)
      throws IOException, InterruptedException {
    List<Child<Q, A>> children = new ArrayList<>();
    for (Program<Q, A> program : programs) {
      List<String> command = java.line(ChildMain.class.getName());
      Child<Q, A> child = new Child<>(name + " " + children.size(), command, log);
      started.add(child);
      children.add(child);
      child.tell(program);
    }
    for (Child<Q, A> child : children) {
      child.awaitReady();
    }
    return children;
  }

  /** Starts a process of any kind that says {@code ready}, and waits until it does. */
  Child<?, ?> start(String name, List<String> command) throws IOException, InterruptedException {
    Child<?, ?> child = new Child<String, String>(name, command, log);
    started.add(child);
    child.awaitReady();
    return child;
  }

  /** A name that no other cluster has. */
  static String newClusterName() {
    return "bench-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
  }

  @Override
  public void close() {
    // A JVM takes a third of a second to end: they end side by side, those first that ask others.
    started.reversed().forEach(Child::tellToEnd);
    started.reversed().forEach(Child::close);
  }
}
