package dev.tempest.cluster;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A Java process on a host of a network, which answers each line of its input with one line of its
 * output. One thread at a time asks it.
 */
final class HostProcess {
  /** What answers begin with; all other output is for people. */
  static final String ANSWER = "= ";

  private static final long PATIENCE_SECONDS = 240;
  private static final String ENDED = "(the process has ended)";

  private final int host;
  private final String name;
  private final Process process;
  private final BufferedWriter input;
  private final List<String> output = new ArrayList<>();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private HostProcess(int host, String name, Process process) {
    this.host = host;
    this.name = name;
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts it; {@link #awaitReady} waits for it.
   *
   * @param heapMegabytes the memory that it may take; many of them share the machine
   * @param program what it runs
   * @param name the first argument of the program
   * @param folder where it runs
   * @param arguments the others
   */
  static HostProcess start(
      Network network,
      int host,
      int heapMegabytes,
      Class<?> program,
      String name,
      Path folder,
      String... arguments)
      throws IOException {
    return start(network, host, heapMegabytes, 0, program, name, folder, arguments);
  }

  /** Starts one whose clock is off by so many milliseconds. */
  static HostProcess start(
      Network network,
      int host,
      int heapMegabytes,
      long clockOffMillis,
      Class<?> program,
      String name,
      Path folder,
      String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dtempest.test.clock-off-millis=" + clockOffMillis);
    command.addAll(
        List.of("-Xmx" + heapMegabytes + "m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(program.getName());
    command.add(name);
    command.addAll(Arrays.asList(arguments));
    Process process =
        new ProcessBuilder(network.on(host, command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    HostProcess started = new HostProcess(host, name, process);
    Thread.ofPlatform().daemon().name("output-of-" + name).start(started::read);
    return started;
  }

  int host() {
    return host;
  }

  String name() {
    return name;
  }

  /** Where its node is reached. */
  String address() {
    return Network.PREFIX + host + ":7400";
  }

  /** Waits until it has started, of which it says what every program does: ready. */
  void awaitReady() throws InterruptedException {
    String answer = nextAnswer();
    if (!answer.equals("ready")) {
      throw new AssertionError(this + " does not start: " + answer);
    }
  }

  /** Has it perform a command, and returns what it answers. */
  String ask(String command) throws IOException, InterruptedException {
    tell(command);
    return heard();
  }

  /** Has it begin with a command, while others do as well; {@link #heard} waits for the answer. */
  void tell(String command) throws IOException {
    input.write(command);
    input.newLine();
    input.flush();
  }

  /** The answer to the oldest command that it was told. */
  String heard() throws InterruptedException {
    String answer = nextAnswer();
    if (answer.startsWith("failed: ") || answer.equals(ENDED)) {
      throw new AssertionError(this + ": " + answer);
    }
    return answer;
  }

  /** Kills it with no chance to do anything about it. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Asks it to end, as the system does that shuts down, and waits until it has. */
  void terminate() throws InterruptedException {
    process.toHandle().destroy(); // Its own method closes the input as well.
    process.waitFor();
  }

  /** Stops it in the middle of whatever it does, as a machine does that is short of memory. */
  void suspend() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Lets it go on. */
  void resume() throws IOException, InterruptedException {
    signal("-CONT");
  }

  /** What it has used of processors until now. */
  long cpuMillis() {
    return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
  }

  /** All it has said until now. */
  String output() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  @Override
  public String toString() {
    return name + " at host " + host;
  }

  private String nextAnswer() throws InterruptedException {
    String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (answer == null) {
      throw new AssertionError(this + " does not answer");
    }
    return answer;
  }

  private void signal(String signal) throws IOException, InterruptedException {
    String pid = String.valueOf(process.pid());
    int exitCode = new ProcessBuilder("kill", signal, pid).inheritIO().start().waitFor();
    if (exitCode != 0) {
      throw new IOException("kill " + signal + " " + pid + " ends with " + exitCode);
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (output) {
          output.add(line);
        }
        if (line.startsWith(ANSWER)) {
          answers.add(line.substring(ANSWER.length()));
        }
      }
    } catch (IOException closed) {
      synchronized (output) {
        output.add("(its output ends: " + closed + ")");
      }
    }
    answers.add(ENDED);
  }
}
