package dev.tempest.bench.floor;

import dev.tempest.bench.load.ChildMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * The least that a server of a group can do: receives every request, answers those whose turn is
 * its own. One server alone on a unicast address is a UDP echo.
 */
public final class FloorServer {
  private final DatagramChannel channel;
  private final int requestBytes;
  private final FloorMode mode;
  private final int index;
  private final int count;
  private final ByteBuffer in = ByteBuffer.allocateDirect(FloorDatagrams.MAX_BYTES);
  private final FloorDatagrams out;

  private FloorServer(
      DatagramChannel channel,
      int requestBytes,
      int replyBytes,
      FloorMode mode,
      int index,
      int count) {
    this.channel = channel;
    this.requestBytes = requestBytes;
    this.mode = mode;
    this.index = index;
    this.count = count;
    this.out = new FloorDatagrams(channel, replyBytes, mode);
  }

  /**
   * Serves until the parent is gone. Arguments: address, port, bytes of a request, mode, bytes of a
   * reply, index of this server, number of servers.
   */
  public static void main(String[] args) throws IOException {
    if (FloorMode.valueOf(args[3]) == FloorMode.SYSTEM_BATCHING) {
      SystemDatagrams socket =
          SystemDatagrams.open(
              new InetSocketAddress(args[0], Integer.parseInt(args[1])), Integer.parseInt(args[4]));
      int index = Integer.parseInt(args[5]);
      int count = Integer.parseInt(args[6]);
      Thread.ofPlatform().daemon().name("floor-server").start(() -> serve(socket, index, count));
      ChildMain.serve();
      return;
    }
    FloorServer server =
        new FloorServer(
            open(new InetSocketAddress(args[0], Integer.parseInt(args[1]))),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[4]),
            FloorMode.valueOf(args[3]),
            Integer.parseInt(args[5]),
            Integer.parseInt(args[6]));
    Thread.ofPlatform().daemon().name("floor-server").start(server::serve);
    ChildMain.serve();
  }

  private static void serve(SystemDatagrams socket, int index, int count) {
    try {
      while (true) {
        int received = socket.receive();
        for (int i = 0; i < received; i++) {
          ByteBuffer request = socket.datagram(i);
          int client = request.getInt(0);
          int sequence = request.getInt(4);
          if (isTurnOf(index, count, client, sequence)) {
            socket.add(client, sequence, socket.from(i));
          }
        }
        socket.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isTurnOf(int index, int count, int client, int sequence) {
    return Math.floorMod(client + sequence, count) == index;
  }

  private static DatagramChannel open(InetSocketAddress address) throws IOException {
    DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, FloorDatagrams.RECEIVE_BUFFER_BYTES);
    channel.bind(address);
    if (address.getAddress().isMulticastAddress()) {
      NetworkInterface loopback =
          NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
      channel.join(address.getAddress(), loopback);
    }
    return channel;
  }

  private void serve() {
    try {
      if (mode == FloorMode.BLOCKING) {
        while (true) {
          in.clear();
          answer((InetSocketAddress) channel.receive(in));
        }
      }
      channel.configureBlocking(false);
      try (Selector selector = Selector.open()) {
        channel.register(selector, SelectionKey.OP_READ);
        while (true) {
          selector.select(key -> drain());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void drain() {
    try {
      in.clear();
      for (SocketAddress from = channel.receive(in); from != null; from = channel.receive(in)) {
        answer((InetSocketAddress) from);
        in.clear();
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(InetSocketAddress from) throws IOException {
    in.flip();
    for (int at = 0; at + requestBytes <= in.limit(); at += requestBytes) {
      int client = in.getInt(at);
      int sequence = in.getInt(at + 4);
      if (isTurnOf(index, count, client, sequence)) {
        out.add(client, sequence, from);
      }
    }
  }
}
