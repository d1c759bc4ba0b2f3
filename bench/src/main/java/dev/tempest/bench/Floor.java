package dev.tempest.bench;

import dev.tempest.runtime.FreePorts;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * The same exchange of datagrams without any protocol: what no system can beat.
 *
 * @param servers where all of them receive
 * @param count how many servers there are
 * @param mode how both sides receive and send
 * @param replies how many of the servers reply, for all of which the client waits
 */
record Floor(
    InetSocketAddress servers, int count, int requestBytes, int replyBytes, Mode mode, int replies)
    implements Serializable {

  /** How clients and servers receive and send. */
  enum Mode {
    /** A blocking receive, one system call a datagram: the fastest for one request at a time. */
    BLOCKING,

    /** A selector, then all that is there: the fastest for many requests of one datagram each. */
    SELECTING,

    /** As {@link #SELECTING}, and all that a wake-up brings to be sent goes into few datagrams. */
    BATCHING
  }

  /** Of two processes: one sends, one sends back. */
  static Floor udpEcho(int sizeBytes) {
    return at("127.0.0.1", 1, sizeBytes, sizeBytes, Mode.BLOCKING);
  }

  /** Of a client that multicasts to so many processes. */
  static Floor multicast(int servers, int requestBytes, int replyBytes, Mode mode) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String group = "239.255.%d.%d".formatted(random.nextInt(256), random.nextInt(1, 255));
    return at(group, servers, requestBytes, replyBytes, mode);
  }

  private static Floor at(String host, int count, int requestBytes, int replyBytes, Mode mode) {
    InetSocketAddress servers = new InetSocketAddress(host, FreePorts.find(1).getFirst());
    return new Floor(servers, count, requestBytes, replyBytes, mode, 1);
  }

  /** The same, answered by so many servers. */
  Floor answeredBy(int servers) {
    return new Floor(this.servers, count, requestBytes, replyBytes, mode, servers);
  }

  /** Starts the processes. */
  Contestant start(String name, Processes processes) throws IOException, InterruptedException {
    var programs = IntStream.range(0, count).mapToObj(index -> new FloorServer(this, index));
    var running = processes.start(name + " server", JavaCommand.MEASURED, programs.toList());
    var client = processes.start(name + " client", () -> new FloorClient(this));
    return Contestant.of(name, client, running);
  }
}
