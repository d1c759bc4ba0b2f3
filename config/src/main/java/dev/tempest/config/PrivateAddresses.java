package dev.tempest.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The addresses that a node takes messages from: those of this machine and of private networks.
 * Clusters have no key yet, so nobody out of reach may join (docs/adr/0012).
 */
public final class PrivateAddresses {
  private static final int UNIQUE_LOCAL_MASK = 0xfe;
  private static final int UNIQUE_LOCAL = 0xfc;
  private static final int IPV6_BYTES = 16;

  private PrivateAddresses() {}

  /**
   * Whether the address is loopback, site-local (10/8, 172.16/12, 192.168/16), link-local
   * (169.254/16, fe80::/10) or unique-local (fc00::/7).
   */
  public static boolean contains(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isSiteLocalAddress()
        || address.isLinkLocalAddress()
        || isUniqueLocal(address.getAddress());
  }

  private static boolean isUniqueLocal(byte[] bytes) {
    return bytes.length == IPV6_BYTES && (bytes[0] & UNIQUE_LOCAL_MASK) == UNIQUE_LOCAL;
  }

  /** Refuses what is written as an address and is not private; names are looked up when used. */
  static void check(String purpose, String host) {
    if (!isAddress(host)) {
      return;
    }
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("'" + host + "' is not an IP address", e);
    }
    if (!contains(address)) {
      throw new IllegalArgumentException(
          "a node cannot "
              + purpose
              + " "
              + host
              + ", because without a cluster key it speaks with private addresses only");
    }
  }

  /**
   * Whether it is meant as an address, which no name service is asked about: names have letters.
   */
  public static boolean isAddress(String host) {
    boolean isNumeric = true;
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c == ':') {
        return true;
      }
      isNumeric &= c == '.' || (c >= '0' && c <= '9');
    }
    return isNumeric;
  }
}
