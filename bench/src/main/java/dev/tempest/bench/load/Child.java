package dev.tempest.bench.load;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A child process that runs a {@link Program}. */
public record Child<Q extends Serializable, A extends Serializable>(ChildProcess process) {
  /** Starts one; it is ready after {@link ChildProcess#awaitReady}. */
  static <Q extends Serializable, A extends Serializable> Child<Q, A> start(
      String name, JavaCommand java, Program<Q, A> program, Path log) throws IOException {
    String main = ChildMain.class.getName();
    ChildProcess process = ChildProcess.start(name, java.line(main, List.of()), log);
    process.tell(ObjectLine.of(program));
    return new Child<>(process);
  }

  /**
   * Asks it.
   *
   * @param atLeast how long the answer takes; it may take much longer
   * @throws IOException if the child fails, ends, or does not answer in time
   */
  @SuppressWarnings("unchecked") // The program's answers are so.
  public A ask(Q question, Duration atLeast) throws IOException, InterruptedException {
    return (A) ObjectLine.read(process.ask(ObjectLine.of(question), atLeast));
  }
}
