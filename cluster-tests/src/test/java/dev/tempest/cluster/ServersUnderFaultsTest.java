package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Three servers that lose datagrams, are killed, stopped and cut off in turn, while clients write:
 * in the end all have the same state, no acknowledged update is missing, none was executed twice.
 */
final class ServersUnderFaultsTest {
  private static final int SERVERS = 3;
  private static final int CLIENT_HOST = SERVERS + 1;
  private static final long FAULTS_MILLIS = 1_000 * Long.getLong("faultSeconds", 60);

  /** Between two faults: gossip brings everything everywhere within a few rounds. */
  private static final long CALM_MILLIS = 2_000;

  private static final int FAULT_MIN_MILLIS = 1_000;
  private static final int FAULT_MAX_MILLIS = 5_000;

  /** Longer than to close an epoch and to agree on it takes, on a machine that does other work. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(45);

  private static final long LOOK_AGAIN_MILLIS = 100;

  private static final List<String> ADDRESSES =
      IntStream.rangeClosed(1, SERVERS).mapToObj(host -> Network.PREFIX + host + ":7400").toList();

  private final List<HostProcess> servers = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private int started;

  @Test
  void keepWhatTheyAcknowledged() throws Exception {
    Optional<String> impossible = Network.impossible();
    assumeTrue(impossible.isEmpty(), () -> impossible.orElse(""));
    long seed = Long.getLong("seed", System.nanoTime());
    Path folder = Files.createTempDirectory("tempest-servers-");
    try (Network network = Network.of(CLIENT_HOST)) {
      for (int host = 1; host <= SERVERS; host++) {
        servers.add(startServer(network, host, folder));
      }
      for (HostProcess server : servers) {
        server.awaitReady();
      }
      HostProcess client = start(network, CLIENT_HOST, ClientProgram.class, folder, ADDRESSES);
      client.awaitReady();
      try {
        writeUnderFaults(client, network, folder, new SplittableRandom(seed));
      } catch (Exception | AssertionError failed) {
        servers.forEach(server -> System.out.println("--- " + server + ":\n" + server.output()));
        System.out.println("--- " + client + ":\n" + client.output());
        throw new AssertionError("-Dseed=" + seed + " after " + faults, failed);
      } finally {
        client.kill();
        for (HostProcess server : servers) {
          server.kill();
        }
      }
    }
    Files.delete(folder);
  }

  private void writeUnderFaults(
      HostProcess client, Network network, Path folder, SplittableRandom random) throws Exception {
    client.ask("write");
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FAULTS_MILLIS);
    while (System.nanoTime() < endNanos) {
      Thread.sleep(CALM_MILLIS);
      int victim = random.nextInt(SERVERS);
      long millis = random.nextInt(FAULT_MIN_MILLIS, FAULT_MAX_MILLIS);
      switch (random.nextInt(3)) {
        case 0 -> kill(victim, millis, network, folder);
        case 1 -> stop(victim, millis);
        default -> cutOff(victim, millis, network);
      }
    }
    String written = client.ask("rest");
    awaitSettled(client);
    assertThat(client.ask("wrong")).as("updates, of " + written).isEmpty();
    System.out.println("cluster tests: " + written + "; all there once after " + faults);
  }

  private void kill(int victim, long millis, Network network, Path folder) throws Exception {
    faults.add("kill");
    servers.get(victim).kill();
    Thread.sleep(millis);
    servers.set(victim, startServer(network, victim + 1, folder));
    servers.get(victim).awaitReady();
  }

  private void stop(int victim, long millis) throws Exception {
    faults.add("stop");
    servers.get(victim).suspend();
    Thread.sleep(millis);
    servers.get(victim).resume();
  }

  private void cutOff(int victim, long millis, Network network) throws Exception {
    faults.add("cut off");
    network.cutOff(victim + 1);
    Thread.sleep(millis);
    network.heal();
  }

  private static void awaitSettled(HostProcess client) throws Exception {
    long startNanos = System.nanoTime();
    String answer = client.ask("settled");
    while (!answer.equals("settled")) {
      if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("the servers do not come to one state: " + answer);
      }
      Thread.sleep(LOOK_AGAIN_MILLIS);
      answer = client.ask("settled");
    }
  }

  private HostProcess startServer(Network network, int host, Path folder) throws Exception {
    List<String> arguments =
        Stream.concat(Stream.of(ADDRESSES.get(host - 1)), ADDRESSES.stream()).toList();
    return start(network, host, ServerProgram.class, folder, arguments);
  }

  private HostProcess start(
      Network network, int host, Class<?> program, Path folder, List<String> arguments)
      throws Exception {
    String name = program.getSimpleName() + "." + ++started;
    String[] others = arguments.toArray(String[]::new);
    return HostProcess.start(network, host, program, name, folder, others);
  }
}
