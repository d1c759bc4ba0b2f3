package dev.tempest.bench;

import dev.tempest.bench.floor.FloorClient;
import dev.tempest.bench.floor.FloorMode;
import dev.tempest.bench.floor.FloorServer;
import dev.tempest.bench.load.ChildProcess;
import dev.tempest.bench.tempest.TempestServer;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The processes of one benchmark, floors and servers and their clients, all on loopback. Closing
 * ends them all.
 */
final class Processes implements AutoCloseable {
  static final int REPLICAS = 3;

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

  /** Two processes: one sends, one sends back. Returns the client. */
  ChildProcess udpEcho(int sizeBytes) throws IOException, InterruptedException {
    String port = String.valueOf(FreePorts.find(1).getFirst());
    return floor("UDP echo", "127.0.0.1", port, 1, sizeBytes, sizeBytes, FloorMode.BLOCKING);
  }

  /**
   * A client that multicasts to as many processes as there are replicas, one of which replies.
   * Returns the client.
   *
   * @param mode how both sides receive and send
   */
  ChildProcess bareMulticast(int requestBytes, int replyBytes, FloorMode mode)
      throws IOException, InterruptedException {
    String port = String.valueOf(FreePorts.find(1).getFirst());
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String group = "239.255.%d.%d".formatted(random.nextInt(256), random.nextInt(1, 255));
    return floor("bare multicast", group, port, REPLICAS, requestBytes, replyBytes, mode);
  }

  private ChildProcess floor(
      String name,
      String address,
      String port,
      int servers,
      int requestBytes,
      int replyBytes,
      FloorMode mode)
      throws IOException, InterruptedException {
    List<String> common = List.of(address, port, "" + requestBytes, mode.name(), "" + replyBytes);
    List<ChildProcess> all = new ArrayList<>();
    for (int index = 0; index < servers; index++) {
      List<String> arguments = new ArrayList<>(common);
      arguments.add(String.valueOf(index));
      arguments.add(String.valueOf(servers));
      all.add(start("%s server %d".formatted(name, index), FloorServer.class, arguments));
    }
    ChildProcess client = start(name + " client", FloorClient.class, common);
    all.add(client);
    awaitReady(all);
    return client;
  }

  /** Starts servers; returns the arguments by which clients find them. */
  List<String> tempest() throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(REPLICAS + 1);
    String servers =
        ports.stream()
            .limit(REPLICAS)
            .map("127.0.0.1:%d"::formatted)
            .collect(Collectors.joining(","));
    List<String> address = List.of(servers, String.valueOf(ports.getLast()));
    List<ChildProcess> all = new ArrayList<>();
    for (int index = 0; index < REPLICAS; index++) {
      List<String> arguments = new ArrayList<>(address);
      arguments.add(String.valueOf(index));
      all.add(start("server " + index, TempestServer.class, arguments));
    }
    awaitReady(all);
    return address;
  }

  /** Starts a client of the servers at {@code address}, and waits until it is ready. */
  ChildProcess tempestClient(Class<?> main, List<String> address, Object... further)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(address);
    for (Object argument : further) {
      arguments.add(argument.toString());
    }
    ChildProcess client = start(main.getSimpleName(), main, arguments);
    client.awaitReady();
    return client;
  }

  private ChildProcess start(String name, Class<?> main, List<String> arguments)
      throws IOException {
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
