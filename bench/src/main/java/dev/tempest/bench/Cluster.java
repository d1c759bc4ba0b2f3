package dev.tempest.bench;

import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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
    TempestAddress address =
        new TempestAddress(addresses(ports.subList(0, replicas)), ports.getLast());
    return start(processes, java, address, address, hosting);
  }

  /** Starts servers that are far from each other; their clients are near to all of them. */
  static Cluster startApart(
      Processes processes, int replicas, TempestServer.Hosting hosting, Delay between)
      throws IOException, InterruptedException {
    TempestAddress own = new TempestAddress(addresses(FreePorts.find(replicas)), 0);
    DelayingRelay relay = DelayingRelay.to(own.servers(), between);
    var _ = processes.start("relay", relay);
    return start(processes, JavaCommand.MEASURED, own, relay.address(), hosting);
  }

  private static Cluster start(
      Processes processes,
      JavaCommand java,
      TempestAddress own,
      TempestAddress among,
      TempestServer.Hosting hosting)
      throws IOException, InterruptedException {
    List<TempestServer> programs = new ArrayList<>();
    for (String listen : own.servers()) {
      programs.add(new TempestServer(among, programs.size(), hosting, listen));
    }
    return new Cluster(own, processes.start("server", java, programs));
  }

  private static List<String> addresses(List<Integer> ports) {
    return ports.stream().map("127.0.0.1:%d"::formatted).toList();
  }

  /** Starts what makes the servers far for clients; where these find them. */
  TempestAddress far(Processes processes, Delay delay) throws IOException, InterruptedException {
    DelayingRelay relay = DelayingRelay.to(address.servers(), delay);
    var _ = processes.start("relay", relay);
    return relay.address();
  }

  /** Starts a client of the servers. */
  Contestant client(Processes processes, String system, Program<LoadPlan, Point> program)
      throws IOException, InterruptedException {
    return Contestant.of(system, processes.start(system, program), servers);
  }
}
