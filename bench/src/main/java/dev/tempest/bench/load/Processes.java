package dev.tempest.bench.load;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The processes of an experiment, all on loopback. Closing ends them all. */
public final class Processes implements AutoCloseable {
  private final Path log;
  private final List<ChildProcess> started = new ArrayList<>();

  /**
   * No processes yet.
   *
   * @param log takes what the processes write to their standard error
   */
  public Processes(Path log) {
    this.log = log;
  }

  /** Starts a process as all are that are measured, and waits until it is ready. */
  public <Q extends Serializable, A extends Serializable> Child<Q, A> start(
      String name, Program<Q, A> program) throws IOException, InterruptedException {
    return start(name, JavaCommand.measured(), List.of(program)).getFirst();
  }

  /** Starts processes at once, and waits until all are ready. */
  public <Q extends Serializable, A extends Serializable> List<Child<Q, A>> start(
      String name, JavaCommand java, List<? extends Program<Q, A>> programs)
      throws IOException, InterruptedException {
    List<Child<Q, A>> children = new ArrayList<>();
    for (Program<Q, A> program : programs) {
      Child<Q, A> child = Child.start(name + " " + children.size(), java, program, log);
      started.add(child.process());
      children.add(child);
    }
    for (Child<Q, A> child : children) {
      child.process().awaitReady();
    }
    return children;
  }

  /** Starts a process of any kind that says {@code ready}, and waits until it does. */
  public ChildProcess start(String name, List<String> command)
      throws IOException, InterruptedException {
    ChildProcess process = ChildProcess.start(name, command, log);
    started.add(process);
    process.awaitReady();
    return process;
  }

  /** A name that no other cluster has. */
  public static String newClusterName() {
    return "bench-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
  }

  @Override
  public void close() {
    started.reversed().forEach(ChildProcess::close);
  }
}
