package dev.tempest.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The IP addresses that begin with the same bits.
 *
 * @param address one of them
 * @param prefixBits how many bits they share: 32 or 128 for one address
 */
record Network(InetAddress address, int prefixBits) {
  static final String FORM = "([0-9A-Fa-f:.]{2,45})(?:/([0-9]{1,3}))?";

  private static final Pattern PARTS = Pattern.compile(FORM);

  /**
   * What strangers on the internet cannot send from: loopback, private networks (RFC 1918),
   * link-local, carrier-grade NAT (100.64/10) and unique local IPv6.
   */
  private static final List<Network> PRIVATE =
      List.of(
          parse("127.0.0.0/8"),
          parse("10.0.0.0/8"),
          parse("172.16.0.0/12"),
          parse("192.168.0.0/16"),
          parse("169.254.0.0/16"),
          parse("100.64.0.0/10"),
          parse("::1"),
          parse("fe80::/10"),
          parse("fc00::/7"));

  /** Refuses prefixes that are longer than the address. */
  Network {
    if (prefixBits < 0 || prefixBits > Byte.SIZE * address.getAddress().length) {
      throw new IllegalArgumentException(
          "a prefix of "
              + prefixBits
              + " bits does not fit "
              + address.getHostAddress()
              + ": write a network such as 203.0.113.0/24");
    }
  }

  /**
   * Reads {@code 203.0.113.0/24}, {@code 2001:db8::/32}, or a single address.
   *
   * @throws IllegalArgumentException if it reads otherwise, saying how
   */
  static Network parse(String text) {
    Matcher matcher = PARTS.matcher(text);
    if (!matcher.matches() || !HostPort.isAddress(matcher.group(1))) {
      throw new IllegalArgumentException("'" + text + "' is neither an IP address nor a network");
    }
    InetAddress address = address(matcher.group(1));
    String bits = matcher.group(2);
    return new Network(
        address, bits == null ? Byte.SIZE * address.getAddress().length : Integer.parseInt(bits));
  }

  /** Whether strangers on the internet cannot send from this address. */
  static boolean isPrivate(InetAddress candidate) {
    return isAmong(PRIVATE, candidate);
  }

  /**
   * Refuses an address from which nothing is accepted; names are looked up when used.
   *
   * @param allowed networks beside the private ones
   */
  static void requireAllowed(List<Network> allowed, String host) {
    if (HostPort.isAddress(host)) {
      InetAddress address = address(host);
      if (!isPrivate(address) && !isAmong(allowed, address)) {
        throw new IllegalArgumentException(
            host
                + " is neither private nor allowed: without a cluster key, strangers could join"
                + " from there");
      }
    }
  }

  static boolean isAmong(List<Network> networks, InetAddress candidate) {
    for (Network network : networks) {
      if (network.contains(candidate)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an address belongs to it. */
  boolean contains(InetAddress candidate) {
    byte[] ours = address.getAddress();
    byte[] theirs = candidate.getAddress();
    if (ours.length != theirs.length) {
      return false;
    }
    for (int bit = 0; bit < prefixBits; bit += Byte.SIZE) {
      int compared = Math.min(Byte.SIZE, prefixBits - bit);
      int mask = 0xff00 >> compared & 0xff;
      if (((ours[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * The address that is written; no name service is asked.
   *
   * @throws IllegalArgumentException if it is none
   */
  static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("'" + text + "' is not an IP address", e);
    }
  }

  @Override
  public String toString() {
    return address.getHostAddress() + "/" + prefixBits;
  }
}
