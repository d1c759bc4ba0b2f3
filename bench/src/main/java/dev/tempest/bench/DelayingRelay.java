package dev.tempest.bench;

import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A process between others that makes them far from each other: what is sent to one of its ports
 * comes to a server some time later, and so does what the server answers. For kernels that cannot
 * delay packets themselves (netem), and for who may not ask them to.
 */
record DelayingRelay(List<Way> ways, Delay delay) implements Program<String, String> {
  /**
   * A port of the relay, and whom it leads to.
   *
   * @param target {@code host:port}
   */
  record Way(int port, String target) implements Serializable {
    String address() {
      return "127.0.0.1:" + port;
    }

    InetSocketAddress own() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    InetSocketAddress to() {
      int colon = target.lastIndexOf(':');
      String host = target.substring(0, colon);
      return new InetSocketAddress(host, Integer.parseInt(target.substring(colon + 1)));
    }
  }

  /** To these servers, by ports that are free. */
  static DelayingRelay to(List<String> servers, Delay delay) {
    List<Integer> ports = FreePorts.find(servers.size());
    List<Way> ways = new ArrayList<>();
    for (String server : servers) {
      ways.add(new Way(ports.get(ways.size()), server));
    }
    return new DelayingRelay(List.copyOf(ways), delay);
  }

  /** The same servers, far away. There is no multicast so far. */
  TempestAddress address() {
    return new TempestAddress(ways.stream().map(Way::address).toList(), 0);
  }

  @Override
  public Answers<String, String> start() throws IOException {
    RelayedDatagrams.start(ways, delay);
    for (Way way : ways) {
      RelayedStreams.start(way, delay);
    }
    return question -> "";
  }
}
