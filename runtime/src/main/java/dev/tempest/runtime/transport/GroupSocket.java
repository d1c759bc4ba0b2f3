package dev.tempest.runtime.transport;

import dev.tempest.runtime.transport.Networks.Network;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.DatagramChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A socket that receives what is sent to a group, through each network where it could join.
 *
 * <p>Not thread-safe.
 */
final class GroupSocket {
  private final InetSocketAddress group;
  private final DatagramChannel channel;
  private final Set<Network> joined = new LinkedHashSet<>();

  private GroupSocket(InetSocketAddress group, DatagramChannel channel) {
    this.group = group;
    this.channel = channel;
  }

  /** Has joined nowhere yet. */
  static GroupSocket open(InetSocketAddress group) throws IOException {
    return new GroupSocket(group, Sockets.ofGroup(group));
  }

  InetSocketAddress group() {
    return group;
  }

  DatagramChannel channel() {
    return channel;
  }

  /** Joins wherever it has not. */
  void join(List<NetworkInterface> present) {
    for (NetworkInterface each : present) {
      Network network = Network.of(each);
      if (!joined.contains(network) && joins(each)) {
        joined.add(network);
      }
    }
  }

  private boolean joins(NetworkInterface one) {
    try {
      channel.join(group.getAddress(), one);
      return true;
    } catch (IOException | UnsupportedOperationException down) {
      return false; // It is lacking, and so tried again.
    }
  }

  boolean hasJoined() {
    return !joined.isEmpty();
  }

  boolean isLacking(List<NetworkInterface> present) {
    return !joined.containsAll(Networks.networks(present));
  }

  /**
   * Whether it has joined on one that has gone since. The system forgets that, and may take the
   * next one of that name and address for the same: only a new socket joins there.
   */
  boolean isStale(List<NetworkInterface> present) {
    return !Networks.networks(present).containsAll(joined);
  }
}
