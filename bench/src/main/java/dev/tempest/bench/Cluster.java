package dev.tempest.bench;

import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Servers of ours that serve. */
record Cluster(TempestAddress address, List<Child<String, Long>> servers) {
  /** How many there are where nothing else is said. */
  static final int REPLICAS = 3;

  /** Starts servers that all host the same. */
  static Cluster start(Processes processes, int replicas, TempestServer.Hosting hosting)
      throws IOException, InterruptedException {
    return start(processes, JavaCommand.MEASURED, replicas, hosting);
  }

  /** The same, run as this says. */
  static Cluster start(
      Processes processes, JavaCommand java, int replicas, TempestServer.Hosting hosting)
      throws IOException, InterruptedException {
    List<Integer> ports = FreePorts.find(replicas + 1);
    List<String> servers = ports.stream().limit(replicas).map("127.0.0.1:%d"::formatted).toList();
    TempestAddress address = new TempestAddress(servers, ports.getLast());
    var programs =
        IntStream.range(0, replicas).mapToObj(index -> new TempestServer(address, index, hosting));
    return new Cluster(address, processes.start("server", java, programs.toList()));
  }

  /** Starts a client of the servers. */
  Contestant client(Processes processes, String system, Program<LoadPlan, Point> program)
      throws IOException, InterruptedException {
    return Contestant.of(system, processes.start(system, program), servers);
  }
}
