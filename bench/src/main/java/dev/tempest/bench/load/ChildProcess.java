package dev.tempest.bench.load;

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
 * A process of a benchmark.
 *
 * <p>Parent and child talk by lines over the child's standard streams. The child ends when the pipe
 * to it closes, which the operating system does even if the parent is killed: no process is left
 * behind. Not thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
  static final String READY = "ready";
  static final String ANSWER = "answer ";
  static final String FAILED = "failed ";

  private static final int READY_SECONDS = 60;
  private static final int STOP_SECONDS = 3;
  private static final int SLACK_SECONDS = 60;
  private static final int LINES_MAX = 10_000;
  private static final String ENDED = "ended";

  private final String name;
  private final Path log;
  private final Process process;
  private final Writer toChild;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(LINES_MAX);

  private ChildProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.toChild = process.outputWriter();
    Thread.ofVirtual().name(name + " output").start(this::readOutput);
  }

  /**
   * Starts a process, Java or not; it is ready after {@link #awaitReady}.
   *
   * @param log takes what the process writes to its standard error
   */
  static ChildProcess start(String name, List<String> command, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new ChildProcess(name, log, process);
  }

  private void readOutput() {
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.equals(READY) || line.startsWith(ANSWER) || line.startsWith(FAILED)) {
          lines.put(line);
        }
      }
    } catch (IOException e) {
      // The process has ended: said below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lines.offer(ENDED);
    }
  }

  /**
   * Waits until the child serves.
   *
   * @throws IOException if it ends or is not ready in time
   */
  public void awaitReady() throws IOException, InterruptedException {
    String line = lines.poll(READY_SECONDS, TimeUnit.SECONDS);
    if (!READY.equals(line)) {
      throw new IOException(
          "%s did not start: %s; see %s"
              .formatted(name, line == null ? "no sign of life" : line, log));
    }
  }

  /**
   * Has the child do what a line says.
   *
   * @param atLeast how long that takes; the child may take much longer
   * @return its answer, one line
   * @throws IOException if the child fails, ends, or does not answer in time
   */
  public String ask(String request, Duration atLeast) throws IOException, InterruptedException {
    tell(request);
    String line = lines.poll(atLeast.toSeconds() + SLACK_SECONDS, TimeUnit.SECONDS);
    if (line == null || !line.startsWith(ANSWER)) {
      throw new IOException(
          "%s: %s; see %s".formatted(name, line == null ? "no answer" : line, log));
    }
    return line.substring(ANSWER.length());
  }

  void tell(String line) throws IOException {
    toChild.write(line + "\n");
    toChild.flush();
  }

  /** The operating system's number for the process. */
  public long pid() {
    return process.pid();
  }

  /** Processor time that the process has used; nothing where the system does not say. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Ends the process; kills it if it does not end by itself. */
  @Override
  public void close() {
    try {
      toChild.close();
    } catch (IOException e) {
      // It has ended already.
    }
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
