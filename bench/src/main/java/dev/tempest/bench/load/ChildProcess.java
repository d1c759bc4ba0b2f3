package dev.tempest.bench.load;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Java process of a benchmark, run by this process's Java on this process's class path.
 *
 * <p>Parent and child talk by lines over the child's standard streams. The child ends when the pipe
 * to it closes, which the operating system does even if the parent is killed: no process is left
 * behind. Not thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
  static final String READY = "ready";
  static final String SAMPLE = "sample ";
  static final String FAILED = "failed ";

  /**
   * The same for floors and systems. G1 is what a server gets by default: the serial collector
   * stops for half a second where updates of 1 kB wait by the hundred thousand to settle.
   */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xms256m", "-Xmx2g", "-XX:+UseG1GC", "--enable-native-access=ALL-UNNAMED");

  /** Names a system property with further options, for profilers. */
  private static final String FURTHER_JVM_OPTIONS = "dev.tempest.bench.jvm";

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
   * Starts a process; it is ready after {@link #awaitReady}.
   *
   * @param main the class with the main method
   * @param log takes what the process writes to its standard error
   */
  public static ChildProcess start(String name, Class<?> main, Path log, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(javaExecutable());
    command.addAll(JVM_OPTIONS);
    String further = System.getProperty(FURTHER_JVM_OPTIONS, "");
    Stream.of(further.split(" ", -1)).filter(option -> !option.isEmpty()).forEach(command::add);
    command.add("-cp");
    command.add(classPath());
    command.add(main.getName());
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new ChildProcess(name, log, process);
  }

  private static String javaExecutable() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String classPath() {
    return Stream.of("java.class.path", "jdk.module.path")
        .map(System::getProperty)
        .filter(path -> path != null && !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void readOutput() {
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.equals(READY) || line.startsWith(SAMPLE) || line.startsWith(FAILED)) {
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
   * Has the child run a plan.
   *
   * @throws IOException if the child fails, ends, or does not answer in time
   */
  public Sample run(LoadPlan plan) throws IOException, InterruptedException {
    toChild.write(plan.toLine() + "\n");
    toChild.flush();
    long timeoutSeconds = (long) plan.totalMillis() / 1_000 + SLACK_SECONDS;
    String line = lines.poll(timeoutSeconds, TimeUnit.SECONDS);
    if (line == null || !line.startsWith(SAMPLE)) {
      throw new IOException(
          "%s: %s; see %s".formatted(name, line == null ? "no answer" : line, log));
    }
    return Sample.parse(line.substring(SAMPLE.length()));
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
