package dev.tempest.runtime.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of one endpoint: one for datagrams and one for streams, with the same port.
 *
 * @param network the interface for multicast; null if none can be told from the address
 */
record Sockets(
    DatagramChannel datagrams, ServerSocket streams, @Nullable NetworkInterface network) {
  /** What the system allows of this is taken; bursts of many clients have to fit. */
  static final int RECEIVE_BUFFER_BYTES = 4 << 20;

  private static final int ATTEMPTS_MAX = 100;
  private static final int BACKLOG = 128;

  /** Binds both; with port 0 to any port that is free for both. */
  static Sockets open(InetAddress bind, int port) {
    for (int attempt = 1; ; attempt++) {
      try {
        return tryOpen(bind, port);
      } catch (BindException refused) {
        if (port != 0 || attempt == ATTEMPTS_MAX) {
          throw new UncheckedIOException(explain(bind, port), refused);
        }
      } catch (IOException failed) {
        throw new UncheckedIOException(
            "no sockets on " + bind.getHostAddress() + ":" + port + ": " + failed.getMessage(),
            failed);
      }
    }
  }

  private static Sockets tryOpen(InetAddress bind, int port) throws IOException {
    ServerSocket streams = new ServerSocket();
    try {
      streams.bind(new InetSocketAddress(bind, port), BACKLOG);
      DatagramChannel datagrams = DatagramChannel.open(familyOf(bind));
      try {
        datagrams.configureBlocking(false);
        datagrams.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
        datagrams.setOption(StandardSocketOptions.SO_SNDBUF, RECEIVE_BUFFER_BYTES);
        datagrams.bind(new InetSocketAddress(bind, streams.getLocalPort()));
        return new Sockets(datagrams, streams, multicastInterface(datagrams, bind));
      } catch (IOException failed) {
        datagrams.close();
        throw failed;
      }
    } catch (IOException failed) {
      streams.close();
      throw failed;
    }
  }

  /** A socket that receives what is sent to a group. */
  static DatagramChannel join(InetSocketAddress group, NetworkInterface network)
      throws IOException {
    DatagramChannel channel = DatagramChannel.open(familyOf(group.getAddress()));
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
      // Bound to the group's address it does not get what is sent to other groups.
      channel.bind(group);
      channel.join(group.getAddress(), network);
      return channel;
    } catch (IOException | UnsupportedOperationException failed) {
      channel.close();
      throw failed;
    }
  }

  /**
   * A socket with the address of another one that gets what a peer sends there. Linux gives a
   * datagram to the socket that is connected to its sender, if there is one.
   */
  static DatagramChannel connected(DatagramChannel unconnected, InetSocketAddress peer)
      throws IOException {
    InetSocketAddress own = (InetSocketAddress) unconnected.getLocalAddress();
    DatagramChannel channel = DatagramChannel.open(familyOf(own.getAddress()));
    try {
      channel.configureBlocking(false);
      // Not earlier: a port that is in use would not be noticed.
      unconnected.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
      channel.bind(own);
      channel.connect(peer);
      return channel;
    } catch (IOException | UnsupportedOperationException failed) {
      channel.close();
      throw failed;
    }
  }

  private static StandardProtocolFamily familyOf(InetAddress address) {
    return address.getAddress().length == 4
        ? StandardProtocolFamily.INET
        : StandardProtocolFamily.INET6;
  }

  private static @Nullable NetworkInterface multicastInterface(
      DatagramChannel datagrams, InetAddress bind) throws IOException {
    NetworkInterface network =
        bind.isAnyLocalAddress() ? firstWithMulticast() : NetworkInterface.getByInetAddress(bind);
    if (network == null) {
      return null;
    }
    try {
      datagrams.setOption(StandardSocketOptions.IP_MULTICAST_IF, network);
      datagrams.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true);
      return network;
    } catch (IOException | UnsupportedOperationException noMulticast) {
      return null;
    }
  }

  private static @Nullable NetworkInterface firstWithMulticast() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .filter(Sockets::carriesMulticast)
        .findFirst()
        .orElse(null);
  }

  private static boolean carriesMulticast(NetworkInterface network) {
    try {
      return network.isUp() && !network.isLoopback() && network.supportsMulticast();
    } catch (SocketException gone) {
      return false;
    }
  }

  private static String explain(InetAddress bind, int port) {
    boolean local;
    try {
      local = bind.isAnyLocalAddress() || NetworkInterface.getByInetAddress(bind) != null;
    } catch (SocketException unknown) {
      local = true;
    }
    return local
        ? "port "
            + port
            + " of "
            + bind.getHostAddress()
            + " is taken: stop the process that uses it, or configure another port"
        : "the address "
            + bind.getHostAddress()
            + " is none of this machine's: bind one that is, or 0.0.0.0 for all";
  }
}
