package dev.tempest.bench.floor;

import dev.tempest.bench.load.ChildMain;
import java.io.IOException;
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
  private final FloorFormat format;
  private final int index;
  private final int count;
  private final ByteBuffer request = ByteBuffer.allocateDirect(FloorFormat.MAX_BYTES);
  private final ByteBuffer reply = ByteBuffer.allocateDirect(FloorFormat.MAX_BYTES);

  private FloorServer(DatagramChannel channel, FloorFormat format, int index, int count) {
    this.channel = channel;
    this.format = format;
    this.index = index;
    this.count = count;
  }

  /**
   * Serves until the parent is gone. Arguments: address, port, index of this server, number of
   * servers, bytes of a reply, mode.
   */
  public static void main(String[] args) throws Exception {
    InetSocketAddress address = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
    FloorServer server =
        new FloorServer(
            open(address),
            new FloorFormat(Integer.parseInt(args[4])),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]));
    String mode = args[5];
    Thread.ofPlatform()
        .daemon()
        .name("floor-server")
        .start(() -> {
          try {
            if (mode.equals("blocking")) {
              server.serveBlocking();
            } else {
              server.serveSelecting();
            }
          } catch (IOException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
          }
        });
    ChildMain.serve();
  }

  static DatagramChannel open(InetSocketAddress address) throws IOException {
    DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, FloorFormat.RECEIVE_BUFFER_BYTES);
    channel.bind(address);
    if (address.getAddress().isMulticastAddress()) {
      channel.join(
          address.getAddress(),
          NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
    }
    return channel;
  }

  private void serveBlocking() throws IOException {
    while (true) {
      request.clear();
      SocketAddress from = channel.receive(request);
      answer(from);
    }
  }

  private void serveSelecting() throws IOException {
    channel.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      while (true) {
        selector.select(key -> drain());
      }
    }
  }

  private void drain() {
    try {
      request.clear();
      for (SocketAddress from = channel.receive(request);
          from != null;
          from = channel.receive(request)) {
        answer(from);
        request.clear();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void answer(SocketAddress from) throws IOException {
    request.flip();
    if (Math.floorMod(request.getInt(0) + request.getInt(4), count) != index) {
      return;
    }
    reply.clear();
    format.write(reply, request.getInt(0), request.getInt(4));
    reply.flip();
    channel.send(reply, from);
  }
}
