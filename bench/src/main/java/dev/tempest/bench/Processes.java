package dev.tempest.bench;

import dev.tempest.bench.collections.MapKind;
import dev.tempest.bench.collections.MapProgram;
import dev.tempest.bench.floor.FloorClient;
import dev.tempest.bench.floor.FloorMode;
import dev.tempest.bench.floor.FloorServer;
import dev.tempest.bench.load.ChildProcess;
import dev.tempest.bench.load.JavaCommand;
import dev.tempest.bench.tempest.OverloadClient;
import dev.tempest.bench.tempest.OverloadServer;
import dev.tempest.bench.tempest.RogueClients;
import dev.tempest.bench.tempest.TempestServer;
import dev.tempest.bench.tempest.TimedClient;
import dev.tempest.bench.tempest.TimedServer;
import dev.tempest.bench.tempest.TimedServices;
import dev.tempest.runtime.FreePorts;
import dev.tempest.simulator.ServiceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The processes of one benchmark, floors and servers and their clients, all on loopback. Closing
 * ends them all.
 */
final class Processes implements AutoCloseable {
  static final int REPLICAS = 3;

  /** By its name only: it runs on a class path and a Java of its own. */
  private static final String NODE_PROGRAM = "dev.tempest.embedding.NodeProgram";

  /**
   * Servers that serve.
   *
   * @param address the arguments by which clients find them
   */
  record Cluster(List<String> address, List<ChildProcess> servers) {}

  private final Path log;
  private final List<ChildProcess> started = new ArrayList<>();

  /**
   * No processes yet.
   *
   * @param log takes what the processes write to their standard error
   */
  Processes(Path log) {
    this.log = log;
  }

  /** Two processes: one sends, one sends back. */
  Contestant udpEcho(String name, int sizeBytes) throws IOException, InterruptedException {
    String port = String.valueOf(FreePorts.find(1).getFirst());
    return floor(name, "127.0.0.1", port, 1, sizeBytes, sizeBytes, FloorMode.BLOCKING);
  }

  /**
   * A client that multicasts to as many processes as there are replicas, one of which replies.
   *
   * @param mode how both sides receive and send
   */
  Contestant bareMulticast(String name, int requestBytes, int replyBytes, FloorMode mode)
      throws IOException, InterruptedException {
    String port = String.valueOf(FreePorts.find(1).getFirst());
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String group = "239.255.%d.%d".formatted(random.nextInt(256), random.nextInt(1, 255));
    return floor(name, group, port, REPLICAS, requestBytes, replyBytes, mode);
  }

  private Contestant floor(
      String name,
      String address,
      String port,
      int servers,
      int requestBytes,
      int replyBytes,
      FloorMode mode)
      throws IOException, InterruptedException {
    List<String> common = List.of(address, port, "" + requestBytes, mode.name(), "" + replyBytes);
    List<ChildProcess> replicas = new ArrayList<>();
    for (int index = 0; index < servers; index++) {
      List<String> arguments = new ArrayList<>(common);
      arguments.add(String.valueOf(index));
      arguments.add(String.valueOf(servers));
      replicas.add(start("%s server %d".formatted(name, index), FloorServer.class, arguments));
    }
    ChildProcess client = start(name + " client", FloorClient.class, common);
    awaitReady(replicas);
    client.awaitReady();
    return new Contestant(name, client, replicas);
  }

  /** Starts three servers. */
  Cluster tempest() throws IOException, InterruptedException {
    return tempest(REPLICAS, TempestServer.class, List.of());
  }

  /** Starts servers that can be made to do other work beside. */
  Cluster overloaded(int replicas, int gossipMillis, String reconcile)
      throws IOException, InterruptedException {
    return tempest(
        replicas, OverloadServer.class, List.of(String.valueOf(gossipMillis), reconcile));
  }

  /** Starts servers whose services take time, one of each kind on each, and their client. */
  TimedContestant timed(List<ServiceKind> kinds, ServicePoint.Layout layout)
      throws IOException, InterruptedException {
    String names = TimedServices.names(kinds);
    List<String> further = List.of(String.valueOf(layout.meanServiceNanos()), names);
    Cluster cluster = tempest(layout.replicas(), TimedServer.class, further);
    Contestant client = tempestClient("timed client", TimedClient.class, cluster, names);
    return new TimedContestant(layout, client.client());
  }

  private Cluster tempest(int replicas, Class<?> main, List<String> further)
      throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(replicas + 1);
    String servers =
        ports.stream()
            .limit(replicas)
            .map("127.0.0.1:%d"::formatted)
            .collect(Collectors.joining(","));
    List<String> address = List.of(servers, String.valueOf(ports.getLast()));
    List<ChildProcess> all = new ArrayList<>();
    for (int index = 0; index < replicas; index++) {
      List<String> arguments = new ArrayList<>(address);
      arguments.add(String.valueOf(index));
      arguments.addAll(further);
      all.add(start("server " + index, main, arguments));
    }
    awaitReady(all);
    return new Cluster(address, all);
  }

  /** Starts the client of overloaded servers, of which the first ones are the victims. */
  ChildProcess overloadClient(Cluster cluster, int victims)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(cluster.address());
    arguments.add(String.valueOf(victims));
    ChildProcess client = start("client", OverloadClient.class, arguments);
    client.awaitReady();
    return client;
  }

  /** Starts clients that overload servers. */
  ChildProcess rogues(Cluster cluster) throws IOException, InterruptedException {
    ChildProcess rogues = start("rogue clients", RogueClients.class, cluster.address());
    rogues.awaitReady();
    return rogues;
  }

  /** Starts a client of a cluster. */
  Contestant tempestClient(String name, Class<?> main, Cluster cluster, Object... further)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(cluster.address());
    for (Object argument : further) {
      arguments.add(argument.toString());
    }
    ChildProcess client = start(name, main, arguments);
    client.awaitReady();
    return new Contestant(name, client, cluster.servers());
  }

  /** Starts a map in all the processes that it lives in. */
  MapContestant maps(MapKind kind) throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(kind.nodes());
    String cluster = newClusterName();
    JavaCommand command = JavaCommand.measured().withOptions(kind.jvmOptions());
    List<ChildProcess> all = new ArrayList<>();
    for (int index = 0; index < kind.nodes(); index++) {
      all.add(startMap(kind, command, cluster, ports));
      Collections.rotate(ports, -1);
    }
    awaitReady(all);
    return new MapContestant(kind, all.getFirst(), all.subList(1, all.size()));
  }

  /** Starts a map in one process with other options than those of all measured processes. */
  ChildProcess lonelyMap(MapKind kind, List<String> options)
      throws IOException, InterruptedException {
    JavaCommand command = JavaCommand.plain().withOptions(options).withOptions(kind.jvmOptions());
    ChildProcess process = startMap(kind, command, newClusterName(), FreePorts.find(1));
    process.awaitReady();
    return process;
  }

  private ChildProcess startMap(
      MapKind kind, JavaCommand command, String cluster, List<Integer> ports) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(kind.name(), cluster));
    ports.forEach(port -> arguments.add(port.toString()));
    String name = kind.title() + " " + ports.getFirst();
    ChildProcess process =
        ChildProcess.start(name, command, MapProgram.class.getName(), log, arguments);
    started.add(process);
    return process;
  }

  /** Starts a node of a cluster of its own; it is ready when it has done what it is to do. */
  ChildProcess node(JavaCommand command, String cluster, String what) throws IOException {
    ChildProcess process =
        ChildProcess.start("node", command, NODE_PROGRAM, log, List.of(cluster, what));
    started.add(process);
    return process;
  }

  /** A name that no other cluster has. */
  static String newClusterName() {
    return "bench-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
  }

  ChildProcess start(String name, Class<?> main, List<String> arguments) throws IOException {
    ChildProcess process = ChildProcess.start(name, main, log, arguments);
    started.add(process);
    return process;
  }

  private static void awaitReady(List<ChildProcess> processes)
      throws IOException, InterruptedException {
    for (ChildProcess process : processes) {
      process.awaitReady();
    }
  }

  @Override
  public void close() {
    started.reversed().forEach(ChildProcess::close);
  }
}
