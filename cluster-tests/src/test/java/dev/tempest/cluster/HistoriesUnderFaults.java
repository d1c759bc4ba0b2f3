package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three servers lose datagrams and suffer {@link Blows}, by clocks that are off, while clients
 * write down what they do with registers, counters and queues: {@link Porcupine} finds that
 * linearizable, and once all is well again each client is answered.
 */
abstract class HistoriesUnderFaults implements Blows.Servers {
  private static final long FAULTS_MILLIS = 1_000 * Long.getLong("faultSeconds", 10);

  static final int CLIENT_HOST = Blows.HOSTS.size() + 1;
  static final int LOST_PERCENT = 2;
  static final List<String> ADDRESSES =
      Blows.HOSTS.stream().map(host -> Network.PREFIX + host + ":7400").toList();

  private static final int HEAP_MEGABYTES = 256;

  /** As likely right as by each of these. */
  private static final List<Duration> CLOCKS_OFF =
      List.of(Duration.ZERO, Duration.ofMinutes(-1), Duration.ofDays(-1), Duration.ofDays(1));

  /** Of each client, after all faults. */
  private static final int ANSWERS = 20;

  @TempDir Path folder;

  final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final long startNanos = System.nanoTime();
  private final List<HostProcess> all = new ArrayList<>();
  private final List<Duration> clocksOff = new ArrayList<>();

  /** They stay there for people, and pictures of what is wrong come beside them. */
  private final Path histories = Path.of("target", "porcupine", getClass().getSimpleName());

  private final List<Path> files = new ArrayList<>();

  @Test
  final void historiesUnderFaultsAreLinearizable() throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    Porcupine porcupine = Porcupine.built();
    Files.createDirectories(histories);
    String run = "-Dseed=" + seed + ", " + hosted() + ", " + histories.toAbsolutePath();
    try (Network network = Network.of(CLIENT_HOST)) {
      Blows blows = new Blows(network, this, random);
      run += makeHistories(network, blows);
    } catch (Exception | AssertionError failed) {
      all.forEach(each -> System.out.println("--- " + each + ":\n" + each.output()));
      throw new AssertionError(run, failed);
    }
    Porcupine.Verdict verdict = porcupine.check(files);
    assertThat(verdict.exitCode()).as(run + ": " + verdict.said()).isZero();
    System.out.println("cluster tests: " + run + "\n" + verdict.said());
  }

  /** What the servers host, as the seed has it. */
  abstract String hosted();

  /** The processes whose clients write histories, of those that run now. */
  abstract List<HostProcess> clients(Network network, Blows blows) throws Exception;

  private String makeHistories(Network network, Blows blows) throws Exception {
    try {
      blows.start();
      awaitAnswers(clients(network, blows), "before all faults");
      long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAULTS_MILLIS);
      do {
        blows.round();
      } while (System.nanoTime() < endNanos);
      List<HostProcess> clients = clients(network, blows);
      awaitAnswers(clients, "after all faults");
      for (HostProcess client : clients) {
        client.ask("rest");
      }
      int answered = 0;
      for (HostProcess client : clients) {
        answered += Integer.parseInt(client.ask("end"));
      }
      return ": at least %d operations were answered, under %d faults"
          .formatted(answered, blows.count());
    } catch (Exception | AssertionError failed) {
      throw new AssertionError("with clocks off by " + clocksOff + ", after " + blows, failed);
    }
  }

  private static void awaitAnswers(List<HostProcess> clients, String when) throws Exception {
    for (HostProcess client : clients) {
      client.ask("mark");
      eventually(
          ANSWERS + " answers for each client of " + client + " " + when,
          () -> Integer.parseInt(client.ask("least")) >= ANSWERS,
          () -> client.ask("least") + " for one of them");
    }
  }

  /**
   * Starts a process.
   *
   * @param arguments but for its name
   */
  final HostProcess start(Network network, int host, Class<?> program, List<String> arguments)
      throws IOException {
    String name = program.getSimpleName() + "." + (all.size() + 1);
    Duration off = CLOCKS_OFF.get(random.nextInt(CLOCKS_OFF.size()));
    clocksOff.add(off);
    HostProcess process =
        HostProcess.start(
            network,
            host,
            HEAP_MEGABYTES,
            off.toMillis(),
            program,
            name,
            folder,
            arguments.toArray(String[]::new));
    all.add(process);
    return process;
  }

  /** What another process with clients is told. */
  final List<String> another() {
    int process = files.size() + 1;
    Path file = histories.resolve("history-" + process + ".jsonl").toAbsolutePath();
    files.add(file);
    return new HistoryClient.Run(random.nextLong(), file, process, startNanos).arguments();
  }
}
