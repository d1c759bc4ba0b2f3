package dev.tempest.runtime.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Which multicast group the requests to a service go to: front-ends and servers agree unasked. */
public final class MulticastGroups {
  private static final int ADMINISTRATIVELY_SCOPED = 239;

  private MulticastGroups() {}

  /**
   * The group of a service, 239.x.y.z. Two services may share one: what is not for a server is
   * dropped there.
   *
   * @param cluster the stable hash of the cluster's name
   * @param service the stable hash of the service's name
   */
  public static InetSocketAddress of(long cluster, long service, int port) {
    long mixed = (cluster * 31 + service) * 0x9E3779B97F4A7C15L;
    byte[] address = {
      (byte) ADMINISTRATIVELY_SCOPED,
      (byte) (mixed >>> 56),
      (byte) (mixed >>> 48),
      (byte) (mixed >>> 40)
    };
    try {
      return new InetSocketAddress(InetAddress.getByAddress(address), port);
    } catch (UnknownHostException impossible) {
      throw new AssertionError("4 bytes are an address", impossible);
    }
  }
}
