package dev.tempest.cluster;

import static dev.tempest.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three servers of a {@link JournalOfUpdates}, and a client that writes to it, each on a host. The
 * servers may keep {@linkplain Ledger ledgers} as well.
 */
final class ServerCluster implements AutoCloseable {
  static final int SERVERS = 3;

  /** Of the first host that has neither a server nor the client. */
  static final int SPARE_HOST = SERVERS + 2;

  static final List<String> ADDRESSES =
      IntStream.rangeClosed(1, SERVERS).mapToObj(host -> Network.PREFIX + host + ":7400").toList();

  private static final int CLIENT_HOST = SERVERS + 1;

  /** The journal of a run of ten minutes has a million tags, and all of them are read at once. */
  private static final int HEAP_MEGABYTES = 512;

  private static final int WRITERS = 8;
  private static final long PAUSE_MILLIS = 5;

  private final Network network;
  private final Path folder;
  private final Terms terms;
  private final List<HostProcess> servers = new ArrayList<>();
  private final List<HostProcess> others = new ArrayList<>();
  private int started;
  private @Nullable HostProcess writing;
  private boolean withLedgers;

  /** Of each series of the ledgers so many entries were acknowledged, and have to be there. */
  private final Map<String, Integer> vouchedFor = new TreeMap<>();

  private ServerCluster(Network network, Path folder, Terms terms) {
    this.network = network;
    this.folder = folder;
    this.terms = terms;
  }

  /**
   * What a cluster has to do with.
   *
   * @param lostPercent how many of 100 datagrams a server loses
   * @param acks how many servers have executed what the client takes for written
   * @param heapMegabytes the memory that each server may take
   * @param writers how many threads of the client write
   * @param pauseMillis what each of them rests after an update
   */
  record Terms(int lostPercent, int acks, int heapMegabytes, int writers, long pauseMillis) {
    /** With one of the servers killed, an update is still there. */
    static final Terms USUAL = of(1, 2);

    static Terms of(int lostPercent, int acks) {
      return new Terms(lostPercent, acks, HEAP_MEGABYTES, WRITERS, PAUSE_MILLIS);
    }
  }

  /** What a test does to a cluster whose client writes on and on. */
  @FunctionalInterface
  interface Ordeal {
    void befall(ServerCluster cluster) throws Exception;
  }

  /**
   * Lets the client write while the servers go through something: in the end all have the same
   * state, nothing that was acknowledged is missing, and nothing was executed twice.
   */
  static void writeThrough(Terms terms, Ordeal ordeal) throws Exception {
    Path folder = Files.createTempDirectory("tempest-servers-");
    writeThrough(terms, folder, ordeal);
    Files.delete(folder);
  }

  /**
   * As above, in a folder that may have one for {@linkplain ServerProgram#CHECKPOINTS checkpoints}.
   */
  static void writeThrough(Terms terms, Path folder, Ordeal ordeal) throws Exception {
    Needed.NAMESPACES.unless(Network.impossible());
    try (ServerCluster cluster = new ServerCluster(Network.of(SPARE_HOST), folder, terms)) {
      try {
        cluster.writeUnder(ordeal);
      } catch (Exception | AssertionError failed) {
        Stream.concat(cluster.servers.stream(), cluster.others.stream())
            .forEach(each -> System.out.println("--- " + each + ":\n" + each.output()));
        throw failed;
      }
    }
  }

  private void writeUnder(Ordeal ordeal) throws Exception {
    for (int host = 1; host <= SERVERS; host++) {
      servers.add(startServer(host));
    }
    for (HostProcess server : servers) {
      server.awaitReady();
    }
    Stream<Long> load = Stream.of((long) terms.acks(), (long) terms.writers(), terms.pauseMillis());
    List<String> arguments = Stream.concat(load.map(String::valueOf), ADDRESSES.stream()).toList();
    HostProcess client = start(CLIENT_HOST, ClientProgram.class, arguments);
    writing = client;
    client.ask("write");
    ordeal.befall(this);
    String written = client.ask("rest");
    awaitSettled(client);
    assertThat(client.ask("wrong")).as("updates, of " + written).isEmpty();
    System.out.println("cluster tests: " + written + "; all there, and once");
    if (withLedgers) {
      awaitLedgers();
    }
  }

  /** From now on all servers write into collections, too. */
  void keepLedgers() throws Exception {
    withLedgers = true;
    for (HostProcess server : servers) {
      server.ask("write");
    }
  }

  /** What the ledger of a server has acknowledged until now will be there in the end. */
  private void vouchForLedger(HostProcess server) throws Exception {
    if (withLedgers) {
      vouchFor(server.ask("acknowledged"));
    }
  }

  /** As above, of all. */
  void vouchForLedgers() throws Exception {
    for (HostProcess server : servers) {
      vouchForLedger(server);
    }
  }

  private void vouchFor(String acknowledged) {
    Ledger.counts(acknowledged)
        .forEach((series, count) -> vouchedFor.merge(series, count, Math::max));
  }

  private void awaitLedgers() throws Exception {
    for (HostProcess server : servers) {
      vouchFor(server.ask("rest"));
    }
    String check = "wrong " + Ledger.text(vouchedFor);
    for (HostProcess server : servers) {
      eventually(
          "whole and exact ledgers at " + server,
          () -> server.ask(check).isEmpty(),
          () -> server.ask(check));
    }
    int entries = vouchedFor.values().stream().mapToInt(Integer::intValue).sum();
    System.out.println("cluster tests: ledgers have all of " + entries + " entries, and are exact");
  }

  /** Waits until so many more updates were acknowledged. */
  void awaitAcknowledged(int more) throws Exception {
    HostProcess client = Objects.requireNonNull(writing);
    int before = acknowledged(client);
    eventually(
        more + " updates after " + before,
        () -> acknowledged(client) >= before + more,
        () -> "only " + acknowledged(client));
  }

  private static int acknowledged(HostProcess client) throws Exception {
    return Integer.parseInt(client.ask("acknowledged"));
  }

  Network network() {
    return network;
  }

  HostProcess server(int number) {
    return servers.get(number);
  }

  /** Kills all servers at once. */
  void killAll() throws Exception {
    for (HostProcess server : servers) {
      server.kill();
    }
  }

  /** Starts all servers again that were killed. */
  void startAll() throws Exception {
    for (int number = 0; number < SERVERS; number++) {
      servers.set(number, startServer(number + 1));
    }
    for (HostProcess server : servers) {
      awaitReady(server);
    }
  }

  /** Has the client do something; what it says. */
  String askClient(String command) throws Exception {
    return Objects.requireNonNull(writing).ask(command);
  }

  /** Kills a server, and starts it again after a while: it takes the state of the others. */
  void restart(int number, long afterMillis) throws Exception {
    vouchForLedger(servers.get(number));
    servers.get(number).kill();
    Thread.sleep(afterMillis);
    startAgain(number);
  }

  /** Lets a server end as the system does that shuts down, and starts it again. */
  void relieve(int number) throws Exception {
    servers.get(number).terminate();
    startAgain(number);
  }

  /** Starts a server again that was killed. */
  void startAgain(int number) throws Exception {
    servers.set(number, startServer(number + 1));
    awaitReady(servers.get(number));
  }

  private void awaitReady(HostProcess server) throws Exception {
    server.awaitReady();
    if (withLedgers) {
      server.ask("write");
    }
  }

  /** Starts another process, and waits until it is ready. */
  HostProcess start(int host, Class<?> program, List<String> arguments) throws Exception {
    HostProcess process = launch(host, HEAP_MEGABYTES, program, arguments);
    others.add(process);
    process.awaitReady();
    return process;
  }

  @Override
  public void close() throws IOException {
    try {
      for (HostProcess each : Stream.concat(servers.stream(), others.stream()).toList()) {
        each.kill();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted before all processes had ended", interrupted);
    } finally {
      network.close();
    }
  }

  private HostProcess startServer(int host) throws Exception {
    List<String> itselfAndAll = with(ADDRESSES.get(host - 1), ADDRESSES);
    return launch(
        host,
        terms.heapMegabytes(),
        ServerProgram.class,
        with(String.valueOf(terms.lostPercent()), itselfAndAll));
  }

  private static List<String> with(String first, List<String> rest) {
    return Stream.concat(Stream.of(first), rest.stream()).toList();
  }

  private HostProcess launch(int host, int heapMegabytes, Class<?> program, List<String> arguments)
      throws Exception {
    String name = program.getSimpleName() + "." + ++started;
    String[] rest = arguments.toArray(String[]::new);
    return HostProcess.start(network, host, heapMegabytes, program, name, folder, rest);
  }

  private static void awaitSettled(HostProcess client) {
    eventually(
        "one state at all servers",
        () -> client.ask("settled").equals("settled"),
        () -> client.ask("settled"));
  }
}
