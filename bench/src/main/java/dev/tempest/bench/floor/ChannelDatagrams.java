package dev.tempest.bench.floor;

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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A socket by the JDK; it puts several requests into one datagram if batching. */
final class ChannelDatagrams implements FloorSocket {
  private static final int MAX_BYTES = 65_507;
  private static final int BATCH_BYTES = 32 << 10;

  private final DatagramChannel channel;
  private final int sizeBytes;
  private final int datagramBytes;
  private final @Nullable Selector selector;
  private final ByteBuffer in = ByteBuffer.allocateDirect(MAX_BYTES);
  private final ByteBuffer out = ByteBuffer.allocateDirect(MAX_BYTES);
  private @Nullable InetSocketAddress from;
  private @Nullable InetSocketAddress destination;

  private ChannelDatagrams(
      DatagramChannel channel, int sizeBytes, FloorMode mode, @Nullable Selector selector) {
    this.channel = channel;
    this.sizeBytes = sizeBytes;
    this.datagramBytes = mode == FloorMode.BATCHING ? BATCH_BYTES : sizeBytes;
    this.selector = selector;
  }

  /**
   * Binds a socket, joins if it is a group's address.
   *
   * @param sizeBytes of what it sends
   */
  static ChannelDatagrams open(InetSocketAddress address, int sizeBytes, FloorMode mode)
      throws IOException {
    NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
    DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
    channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
    channel.bind(address);
    if (address.getAddress().isMulticastAddress()) {
      channel.join(address.getAddress(), loopback);
    }
    if (mode == FloorMode.BLOCKING) {
      return new ChannelDatagrams(channel, sizeBytes, mode, null);
    }
    channel.configureBlocking(false);
    Selector selector = Selector.open();
    channel.register(selector, SelectionKey.OP_READ);
    return new ChannelDatagrams(channel, sizeBytes, mode, selector);
  }

  @Override
  public void receive(Receiver receiver) throws IOException {
    if (selector == null) {
      from = (InetSocketAddress) channel.receive(in.clear());
      receiver.received(in.flip(), 0);
      return;
    }
    selector.select(ready -> {});
    while ((from = (InetSocketAddress) channel.receive(in.clear())) != null) {
      receiver.received(in.flip(), 0);
    }
  }

  @Override
  public InetSocketAddress from(int at) {
    return Objects.requireNonNull(from);
  }

  @Override
  public void add(int client, int sequence, InetSocketAddress to) throws IOException {
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

  @Override
  public void flush() throws IOException {
    if (destination != null && out.position() > 0) {
      channel.send(out.flip(), destination);
      out.clear();
    }
  }
}
