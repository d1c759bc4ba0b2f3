package dev.tempest.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A datagram socket of a floor, which carries numbers of clients and requests, and padding. It puts
 * several requests into one datagram if batching.
 */
final class FloorSocket {
  private static final int MAX_BYTES = 65_507;
  private static final int BATCH_BYTES = 32 << 10;

  /** Room for a request of each of some thousand clients. */
  private static final int RECEIVE_BUFFER_BYTES = 4 << 20;

  /** Takes what has come. */
  @FunctionalInterface
  interface Receiver {
    /** A datagram has come. */
    void received(ByteBuffer datagram, InetSocketAddress from) throws IOException;
  }

  private final DatagramChannel channel;
  private final int sizeBytes;
  private final int datagramBytes;
  private final @Nullable Selector selector;
  private final ByteBuffer in = ByteBuffer.allocateDirect(MAX_BYTES);
  private final ByteBuffer out = ByteBuffer.allocateDirect(MAX_BYTES);
  private @Nullable InetSocketAddress destination;

  /**
   * Binds a socket, joins if it is a group's address.
   *
   * @param sizeBytes of what it sends
   */
  FloorSocket(InetSocketAddress address, int sizeBytes, Floor.Mode mode) throws IOException {
    this.sizeBytes = sizeBytes;
    this.datagramBytes = mode == Floor.Mode.BATCHING ? BATCH_BYTES : sizeBytes;
    this.channel = DatagramChannel.open(StandardProtocolFamily.INET);
    NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
    channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
    channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
    channel.bind(address);
    if (address.getAddress().isMulticastAddress()) {
      channel.join(address.getAddress(), loopback);
    }
    if (mode == Floor.Mode.BLOCKING) {
      this.selector = null;
    } else {
      this.selector = Selector.open();
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
    }
  }

  /** Waits for datagrams, and hands over those that are there. */
  void receive(Receiver receiver) throws IOException {
    if (selector != null) {
      selector.select(ready -> {});
    }
    InetSocketAddress from;
    while ((from = (InetSocketAddress) channel.receive(in.clear())) != null) {
      receiver.received(in.flip(), from);
      if (selector == null) {
        return;
      }
    }
  }

  /** Sends numbers of a client and of a request, at the latest at {@link #flush}. */
  void add(int client, int sequence, InetSocketAddress to) throws IOException {
    if (!to.equals(destination)) {
      flush();
      destination = to;
    }
    int start = out.position();
    out.putInt(client).putInt(sequence).position(start + sizeBytes);
    if (out.position() + sizeBytes > datagramBytes) {
      flush();
    }
  }

  /** Sends what was gathered. */
  void flush() throws IOException {
    if (destination != null && out.position() > 0) {
      channel.send(out.flip(), destination);
      out.clear();
    }
  }
}
