package dev.tempest.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The datagrams of a {@link DelayingRelay}. What one of its servers sends to another one comes from
 * that server's port of the relay, so that each knows the others by one address. Anybody else has a
 * socket here that gets the answers.
 */
final class RelayedDatagrams {
  private static final int MAX_BYTES = 65_507;
  private static final int BUFFER_BYTES = 4 << 20;

  private final Delay delay;

  /** The ports of the relay, by the servers that they stand for. */
  private final Map<InetSocketAddress, DatagramChannel> ports = new LinkedHashMap<>();

  /** Sends on what somebody has sent to a port. */
  private record Sender(DatagramChannel from, DelayLine line) {}

  private RelayedDatagrams(Delay delay) {
    this.delay = delay;
  }

  static void start(List<DelayingRelay.Way> ways, Delay delay) throws IOException {
    RelayedDatagrams relayed = new RelayedDatagrams(delay);
    for (DelayingRelay.Way way : ways) {
      relayed.ports.put(way.to(), open(way.own()));
    }
    relayed.ports.forEach((server, port) -> run(() -> relayed.relay(port, server)));
  }

  private static DatagramChannel open(InetSocketAddress address) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
    return channel.bind(address);
  }

  private void relay(DatagramChannel port, InetSocketAddress server) throws IOException {
    Map<SocketAddress, Sender> senders = new HashMap<>();
    ByteBuffer in = ByteBuffer.allocateDirect(MAX_BYTES);
    while (true) {
      SocketAddress sentFrom = port.receive(in.clear());
      Sender sender = senders.get(sentFrom);
      if (sender == null) {
        sender = new Sender(standIn(sentFrom, port), new DelayLine(delay, senders.size()));
        senders.put(sentFrom, sender);
      }
      DatagramChannel from = sender.from();
      ByteBuffer datagram = copy(in.flip());
      sender.line().put(() -> from.send(datagram, server));
    }
  }

  /** What somebody's datagrams come from, and what is sent there comes to it. */
  private DatagramChannel standIn(SocketAddress sentFrom, DatagramChannel port) throws IOException {
    DatagramChannel known = ports.get(sentFrom);
    if (known != null) {
      return known;
    }
    DatagramChannel own = open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    DelayLine back = new DelayLine(delay, own.getLocalAddress().hashCode());
    run(() -> relayBack(own, back, port, sentFrom));
    return own;
  }

  private static void relayBack(
      DatagramChannel own, DelayLine back, DatagramChannel port, SocketAddress to)
      throws IOException {
    ByteBuffer in = ByteBuffer.allocateDirect(MAX_BYTES);
    while (true) {
      own.receive(in.clear());
      ByteBuffer datagram = copy(in.flip());
      back.put(() -> port.send(datagram, to));
    }
  }

  private static ByteBuffer copy(ByteBuffer datagram) {
    return ByteBuffer.allocate(datagram.remaining()).put(datagram).flip();
  }

  /** As long as the process lives. */
  @FunctionalInterface
  private interface Relaying {
    void run() throws IOException;
  }

  private static void run(Relaying relaying) {
    Thread.ofPlatform()
        .daemon()
        .name("relay")
        .start(() -> {
          try {
            relaying.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
