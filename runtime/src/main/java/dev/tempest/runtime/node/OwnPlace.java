package dev.tempest.runtime.node;

import dev.tempest.config.ConfigException;
import dev.tempest.config.HostPort;
import dev.tempest.config.ListenAddress;
import dev.tempest.config.NodeConfig;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where a node may listen.
 *
 * @param bind the address to bind
 * @param advertised where others reach it, if not there
 */
record OwnPlace(InetAddress bind, int port, Optional<HostPort> advertised) {
  /**
   * The places for a node, of which it takes the first whose port is free. Where the members are
   * listed, it is one of them: another one here whose port is taken is another process.
   *
   * @throws ConfigException if it is none of the members, or the host to listen on is unknown
   */
  static List<OwnPlace> of(NodeConfig config) {
    if (config.members().isEmpty()) {
      InetAddress bind = bindAddress(config.listen());
      return ports(config)
          .mapToObj(port -> new OwnPlace(bind, port, config.advertise(port)))
          .toList();
    }
    List<OwnPlace> own = config.members().stream().flatMap(member -> of(config, member)).toList();
    if (own.isEmpty()) {
      throw noMember(config);
    }
    return own;
  }

  /**
   * Refuses what {@link #of} would refuse on every machine, so that the configuration of another
   * one can be checked here: names are not looked up. Where it says not where to listen, something
   * else may.
   *
   * @throws ConfigException if it is none of the members wherever it runs
   */
  static void requireMember(NodeConfig config) {
    boolean mayBeMember =
        config.members().isEmpty()
            || config.listen().equals(ListenAddress.DEFAULT)
            || config.members().stream()
                .anyMatch(
                    member -> ports(config).anyMatch(port -> mayBeReachedAt(config, port, member)));
    if (!mayBeMember) {
      throw noMember(config);
    }
  }

  private static boolean mayBeReachedAt(NodeConfig config, int port, HostPort member) {
    Optional<HostPort> advertised = config.advertise(port);
    if (advertised.isPresent()) {
      return advertised.get().equals(member);
    }
    String own = config.listen().host();
    boolean isNamed = !HostPort.isAddress(own) || !HostPort.isAddress(member.host());
    return port == member.port()
        && (config.listen().isEverywhere() || isNamed || isSame(own, member.host()));
  }

  private static ConfigException noMember(NodeConfig config) {
    return new ConfigException(
        "members",
        "this process listens on " + config.listen() + ", which is none of the members",
        "write listen: HOST:PORT or --listen with the address and the port of its member, or add"
            + " it to members");
  }

  private static Stream<OwnPlace> of(NodeConfig config, HostPort member) {
    return ports(config)
        .filter(port -> isReachedAt(config, port, member))
        .mapToObj(port -> new OwnPlace(bindAddress(config, member), port, Optional.of(member)));
  }

  private static IntStream ports(NodeConfig config) {
    return IntStream.rangeClosed(config.listen().ports().first(), config.listen().ports().last());
  }

  private static boolean isReachedAt(NodeConfig config, int port, HostPort member) {
    Optional<HostPort> advertised = config.advertise(port);
    if (advertised.isPresent()) {
      return advertised.get().equals(member);
    }
    ListenAddress listen = config.listen();
    return port == member.port()
        && (listen.isEverywhere()
            ? isOfThisMachine(member.host())
            : isSame(listen.host(), member.host()));
  }

  /** Whether others that look there find this node: at its port here, or where it advertises. */
  boolean isAt(NodeConfig config, HostPort other) {
    boolean isHere =
        bind.isAnyLocalAddress()
            ? isOfThisMachine(other.host())
            : isSame(bind.getHostAddress(), other.host());
    return (port == other.port() && isHere) || isReachedAt(config, port, other);
  }

  private static boolean isOfThisMachine(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (UnknownHostException | SocketException unknown) {
      return false;
    }
  }

  private static boolean isSame(String host, String other) {
    try {
      return host.equals(other) || InetAddress.getByName(host).equals(InetAddress.getByName(other));
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  /** Nothing comes from other machines where all members are on this one. */
  private static InetAddress bindAddress(NodeConfig config, HostPort member) {
    boolean isLocal = config.members().stream().allMatch(each -> isLoopback(each.host()));
    return config.listen().isEverywhere() && isLocal
        ? address(member.host())
        : bindAddress(config.listen());
  }

  /** Names that are unknown may be those of other machines. */
  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  private static InetAddress bindAddress(ListenAddress listen) {
    return address(listen.host().equals(ListenAddress.PRIVATE) ? everywhere() : listen.host());
  }

  private static InetAddress address(String host) {
    return Places.require(host, "listen on");
  }

  /** All addresses: IPv4, and IPv6 too where the machine has no other. */
  private static String everywhere() {
    try {
      boolean hasIpv4 =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .anyMatch(address -> address instanceof Inet4Address && !address.isLoopbackAddress());
      boolean hasIpv6 =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .anyMatch(address -> address instanceof Inet6Address && !address.isLoopbackAddress());
      return hasIpv4 || !hasIpv6 ? "0.0.0.0" : "::";
    } catch (SocketException noInterfaces) {
      return "0.0.0.0";
    }
  }
}
