package dev.tempest.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process of a benchmark, which mostly runs a {@link Program}.
 *
 * <p>Parent and child talk by lines over the child's standard streams. The child ends when the pipe
 * to it closes, which the operating system does even if the parent is killed: no process is left
 * behind. Not thread-safe.
 *
 * @param <Q> what it is asked
 * @param <A> what it answers
 */
final class Child<Q, A> implements AutoCloseable {
  static final String READY = "ready";
  static final String ANSWER = "answer ";
  static final String FAILED = "failed ";

  private static final int READY_SECONDS = 240;
  private static final int STOP_SECONDS = 3;
  private static final int SLACK_SECONDS = 240;
  private static final String ENDED = "ended";

  private final String name;
  private final Path log;
  private final Process process;
  private final Writer toChild;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /**
   * Starts a process, Java or not; it is ready after {@link #awaitReady}.
   *
   * @param log takes what the process writes to its standard error
   */
  Child(String name, List<String> command, Path log) throws IOException {
    this.name = name;
    this.log = log;
    this.process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    this.toChild = process.outputWriter();
    Thread.ofVirtual().name(name + " output").start(this::readOutput);
  }

  private void readOutput() {
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.equals(READY) || line.startsWith(ANSWER) || line.startsWith(FAILED)) {
          lines.add(line);
        }
      }
    } catch (IOException e) {
      // The process has ended: said below.
    } finally {
      lines.add(ENDED);
    }
  }

  void awaitReady() throws IOException, InterruptedException {
    expect(READY, READY_SECONDS);
  }

  /**
   * Asks it, and waits for the answer.
   *
   * @param atLeast how long the answer takes; it may take much longer
   * @throws IOException if the child fails, ends, or does not answer in time
   */
  A ask(Q question, Duration atLeast) throws IOException, InterruptedException {
    tell(question);
    return answer(atLeast);
  }

  /** Asks it; the next {@link #answer} is to that. */
  void tell(Object question) throws IOException {
    tellLine(ObjectLine.of(question));
  }

  /** Waits for the answer to what it was told. */
  @SuppressWarnings("unchecked") // The program's answers are so.
  A answer(Duration atLeast) throws IOException, InterruptedException {
    return (A) ObjectLine.read(expect(ANSWER, atLeast.toSeconds() + SLACK_SECONDS));
  }

  /** Asks what runs no {@link Program} but speaks by the same lines. */
  String askLine(String question) throws IOException, InterruptedException {
    tellLine(question);
    return expect(ANSWER, SLACK_SECONDS);
  }

  /**
   * Lets it run for so long.
   *
   * @throws IOException if it ends meanwhile
   */
  void run(Duration duration) throws IOException, InterruptedException {
    if (process.waitFor(duration)) {
      throw new IOException("%s has ended; see %s".formatted(name, log));
    }
  }

  private String expect(String beginning, long seconds) throws IOException, InterruptedException {
    String line = lines.poll(seconds, TimeUnit.SECONDS);
    if (line == null || !line.startsWith(beginning)) {
      throw new IOException(
          "%s: %s; see %s".formatted(name, line == null ? "no sign of life" : line, log));
    }
    return line.substring(beginning.length());
  }

  private void tellLine(String line) throws IOException {
    toChild.write(line + "\n");
    toChild.flush();
  }

  /** The operating system's number for the process. */
  long pid() {
    return process.pid();
  }

  /** Processor time that the process has used; nothing where the system does not say. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Has the process end, and does not wait for that. */
  void tellToEnd() {
    try {
      toChild.close();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  /** Ends the process; kills it if it does not end by itself. */
  @Override
  public void close() {
    tellToEnd();
    try {
      if (process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
