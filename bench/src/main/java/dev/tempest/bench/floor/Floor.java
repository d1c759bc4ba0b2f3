package dev.tempest.bench.floor;

import dev.tempest.bench.load.Child;
import dev.tempest.bench.load.Contestant;
import dev.tempest.bench.load.JavaCommand;
import dev.tempest.bench.load.Processes;
import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The same exchange of datagrams without any protocol: what no system can beat.
 *
 * @param servers where all of them receive
 * @param mode how both sides receive and send
 */
public record Floor(InetSocketAddress servers, int requestBytes, int replyBytes, FloorMode mode)
    implements Serializable {

  /** Two processes: one sends, one sends back. */
  public static Contestant udpEcho(Processes processes, String name, int sizeBytes)
      throws IOException, InterruptedException {
    return at("127.0.0.1", sizeBytes, sizeBytes, FloorMode.BLOCKING).start(processes, name, 1);
  }

  /** A client that multicasts to so many processes, one of which replies. */
  public static Contestant bareMulticast(
      Processes processes,
      String name,
      int servers,
      int requestBytes,
      int replyBytes,
      FloorMode mode)
      throws IOException, InterruptedException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String group = "239.255.%d.%d".formatted(random.nextInt(256), random.nextInt(1, 255));
    return at(group, requestBytes, replyBytes, mode).start(processes, name, servers);
  }

  private static Floor at(String host, int requestBytes, int replyBytes, FloorMode mode) {
    int port = FreePorts.find(1).getFirst();
    return new Floor(new InetSocketAddress(host, port), requestBytes, replyBytes, mode);
  }

  private Contestant start(Processes processes, String name, int count)
      throws IOException, InterruptedException {
    List<FloorServer> programs = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      programs.add(new FloorServer(this, index, count));
    }
    List<Child<String, String>> running =
        processes.start(name + " server", JavaCommand.measured(), programs);
    return Contestant.of(
        name,
        processes.start(name + " client", new FloorClient(this)),
        running.stream().map(Child::process).toList());
  }

  FloorSocket open(InetSocketAddress address, int sentBytes) throws IOException {
    return mode == FloorMode.SYSTEM_BATCHING
        ? SystemDatagrams.open(address, sentBytes)
        : ChannelDatagrams.open(address, sentBytes, mode);
  }
}
