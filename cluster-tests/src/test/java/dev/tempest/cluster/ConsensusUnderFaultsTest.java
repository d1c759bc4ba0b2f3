package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three servers of registers, counters and queues by consensus lose datagrams, and are killed,
 * stopped, parted and made deaf, while clients write down what they do: {@link Porcupine} finds
 * that linearizable, and once all is well again each client is answered.
 */
final class ConsensusUnderFaultsTest {
  private static final long FAULTS_MILLIS = 1_000 * Long.getLong("faultSeconds", 20);

  /** It stays there for people, and pictures of what is wrong come beside it. */
  private static final Path HISTORY = Path.of("target", "porcupine", "history.jsonl");

  private static final int SERVERS = 3;
  private static final int CLIENT_HOST = SERVERS + 1;
  private static final int HEAP_MEGABYTES = 256;
  private static final int LOST_PERCENT = 2;

  /** Longer than an election, and some longer than the deadline of the clients. */
  private static final int FAULT_MIN_MILLIS = 300;

  private static final int FAULT_MAX_MILLIS = 1_700;

  /** Between two faults: a process that has started takes the place of the one before it. */
  private static final long CALM_MILLIS = 500;

  /** Of each client, after all faults. */
  private static final int ANSWERS = 20;

  private static final List<Integer> HOSTS = IntStream.rangeClosed(1, SERVERS).boxed().toList();
  private static final List<String> ADDRESSES =
      HOSTS.stream().map(host -> Network.PREFIX + host + ":7400").toList();

  /** What happens to a server, or to all but one. */
  private enum Fault {
    KILL(true),
    STOP(true),
    /** The clients still reach all of them. */
    PART_FROM_OTHERS(true),
    CUT_OFF(false),
    HEAR_NOBODY(false),
    BE_HEARD_BY_NOBODY(false),
    STOP_OTHERS(false),
    PART_ALL(false);

    /** Whether it befalls one server after the other, and so whoever leads. */
    final boolean befallsEach;

    Fault(boolean befallsEach) {
      this.befallsEach = befallsEach;
    }
  }

  private record Blow(Fault fault, int host) {}

  @TempDir private Path folder;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<Integer, HostProcess> servers = new HashMap<>();
  private final List<HostProcess> all = new ArrayList<>();
  private final List<Blow> blows = new ArrayList<>();

  @Test
  void historiesUnderFaultsAreLinearizable() throws Exception {
    Optional<String> impossible = Network.impossible();
    assumeTrue(impossible.isEmpty(), () -> impossible.orElse(""));
    Porcupine porcupine = Porcupine.built();
    String answered = "";
    try (Network network = Network.of(CLIENT_HOST)) {
      answered = makeHistory(network);
    } catch (Exception | AssertionError failed) {
      all.forEach(each -> System.out.println("--- " + each + ":\n" + each.output()));
      throw new AssertionError("-Dseed=" + seed + " after " + blows, failed);
    }
    Porcupine.Verdict verdict = porcupine.check(HISTORY);
    assertThat(verdict.exitCode())
        .as("-Dseed=%d, %s after %s: %s", seed, HISTORY.toAbsolutePath(), blows, verdict.said())
        .isZero();
    System.out.println(
        "cluster tests: %s, under %d faults:%n%s"
            .formatted(answered, blows.size(), verdict.said()));
  }

  private String makeHistory(Network network) throws Exception {
    for (int host : HOSTS) {
      servers.put(host, startServer(network, host));
    }
    for (HostProcess server : servers.values()) {
      server.awaitReady();
    }
    List<String> arguments = new ArrayList<>(ADDRESSES);
    arguments.addFirst(HISTORY.toAbsolutePath().toString());
    arguments.addFirst(String.valueOf(random.nextLong()));
    HostProcess client = start(network, CLIENT_HOST, HistoryClient.class, arguments);
    client.awaitReady();
    client.ask("begin");
    awaitAnswers(client, "before all faults");
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAULTS_MILLIS);
    do {
      for (Blow blow : shuffled()) {
        blows.add(blow);
        befall(network, blow);
        Thread.sleep(CALM_MILLIS);
      }
    } while (System.nanoTime() < endNanos);
    awaitAnswers(client, "after all faults");
    return client.ask("end");
  }

  private static void awaitAnswers(HostProcess client, String when) throws Exception {
    client.ask("mark");
    eventually(
        ANSWERS + " answers for each client " + when,
        () -> Integer.parseInt(client.ask("least")) >= ANSWERS,
        () -> client.ask("least") + " for one of them");
  }

  private List<Blow> shuffled() {
    List<Blow> round = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      if (fault.befallsEach) {
        HOSTS.forEach(host -> round.add(new Blow(fault, host)));
      } else {
        round.add(new Blow(fault, 1 + random.nextInt(SERVERS)));
      }
    }
    Collections.shuffle(round, random);
    return round;
  }

  private void befall(Network network, Blow blow) throws Exception {
    int host = blow.host;
    List<Integer> others = HOSTS.stream().filter(each -> each != host).toList();
    long millis = random.nextInt(FAULT_MIN_MILLIS, FAULT_MAX_MILLIS);
    switch (blow.fault) {
      case KILL -> {
        server(host).kill();
        Thread.sleep(millis);
        servers.put(host, startServer(network, host));
        server(host).awaitReady();
      }
      case STOP -> stop(List.of(host), millis);
      case STOP_OTHERS -> stop(others, millis);
      case PART_FROM_OTHERS -> {
        block(network, List.of(host), others);
        block(network, others, List.of(host));
        healAfter(network, millis);
      }
      case CUT_OFF -> {
        network.cutOff(host);
        healAfter(network, millis);
      }
      case HEAR_NOBODY -> {
        block(network, others, List.of(host));
        healAfter(network, millis);
      }
      case BE_HEARD_BY_NOBODY -> {
        block(network, List.of(host), others);
        healAfter(network, millis);
      }
      case PART_ALL -> {
        block(network, HOSTS, HOSTS);
        healAfter(network, millis);
      }
    }
  }

  private void stop(List<Integer> hosts, long millis) throws Exception {
    for (int host : hosts) {
      server(host).suspend();
    }
    Thread.sleep(millis);
    for (int host : hosts) {
      server(host).resume();
    }
  }

  private static void block(Network network, List<Integer> from, List<Integer> to)
      throws IOException {
    for (int each : from) {
      for (int other : to) {
        if (each != other) {
          network.block(each, other);
        }
      }
    }
  }

  private static void healAfter(Network network, long millis) throws Exception {
    Thread.sleep(millis);
    network.heal();
  }

  private HostProcess server(int host) {
    return Objects.requireNonNull(servers.get(host));
  }

  private HostProcess startServer(Network network, int host) throws IOException {
    List<String> arguments = new ArrayList<>(ADDRESSES);
    arguments.addFirst(ADDRESSES.get(host - 1));
    arguments.addFirst(String.valueOf(LOST_PERCENT));
    return start(network, host, ConsensusServer.class, arguments);
  }

  private HostProcess start(Network network, int host, Class<?> program, List<String> arguments)
      throws IOException {
    String name = program.getSimpleName() + "." + (all.size() + 1);
    HostProcess process =
        HostProcess.start(
            network, host, HEAP_MEGABYTES, program, name, folder, arguments.toArray(String[]::new));
    all.add(process);
    return process;
  }
}
