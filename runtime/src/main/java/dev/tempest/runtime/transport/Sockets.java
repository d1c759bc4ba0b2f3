package dev.tempest.runtime.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sockets of one endpoint: one for datagrams and one for streams, with the same port.
 *
 * @param networks the interfaces for multicast: that of the address bound; where all are, those
 *     that are up
 */
record Sockets(DatagramChannel datagrams, ServerSocket streams, List<NetworkInterface> networks) {
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
        return new Sockets(datagrams, streams, multicastInterfaces(datagrams, bind));
      } catch (IOException failed) {
        datagrams.close();
        throw failed;
      }
    } catch (IOException failed) {
      streams.close();
      throw failed;
    }
  }

  /** A socket for what is sent to a group, which it has not joined yet. */
  static DatagramChannel ofGroup(InetSocketAddress group) throws IOException {
    DatagramChannel channel = DatagramChannel.open(familyOf(group.getAddress()));
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
      // Bound to the group's address it does not get what is sent to other groups.
      channel.bind(group);
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

  private static List<NetworkInterface> multicastInterfaces(
      DatagramChannel datagrams, InetAddress bind) throws IOException {
    List<NetworkInterface> networks = multicastInterfaces(bind);
    try {
      datagrams.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true);
      if (!networks.isEmpty()) {
        sendThrough(datagrams, networks.getFirst());
      }
      return networks;
    } catch (IOException | UnsupportedOperationException noMulticast) {
      return List.of();
    }
  }

  /** The interfaces for multicast as they are now; none if the system cannot tell. */
  static List<NetworkInterface> multicastInterfaces(InetAddress bind) {
    try {
      return bind.isAnyLocalAddress()
          ? NetworkInterface.networkInterfaces().filter(Sockets::carriesMulticast).toList()
          : Stream.ofNullable(NetworkInterface.getByInetAddress(bind)).toList();
    } catch (SocketException unknown) {
      return List.of();
    }
  }

  /** What is sent to groups from now on goes through this interface. */
  static void sendThrough(DatagramChannel datagrams, NetworkInterface network) throws IOException {
    datagrams.setOption(StandardSocketOptions.IP_MULTICAST_IF, network);
  }

  private static boolean carriesMulticast(NetworkInterface network) {
    try {
      return network.isUp()
          && !network.isLoopback()
          && network.supportsMulticast()
          && network.inetAddresses().anyMatch(Inet4Address.class::isInstance);
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
            + " is taken: stop the process that uses it, or choose another port"
        : "the address "
            + bind.getHostAddress()
            + " is not an address of this machine: listen on one that is, or on all";
  }
}
