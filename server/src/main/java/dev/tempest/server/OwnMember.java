package dev.tempest.server;

import dev.tempest.config.ConfigException;
import dev.tempest.config.HostPort;
import dev.tempest.config.ListenAddress;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.NodeSettings;
import dev.tempest.config.PortRange;
import dev.tempest.config.ServiceConfig;
import dev.tempest.config.ServiceConfig.Execute;
import dev.tempest.runtime.ServerConfig;
import dev.tempest.runtime.ServiceOptions;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;

/** Which of the members a server is. */
final class OwnMember {
  private static final String LOOPBACK = "127.0.0.1";

  private OwnMember() {}

  /**
   * The members that this process may be: those at its addresses and ports; without members, its
   * ports of this machine. One whose port is taken is another process.
   *
   * @throws ConfigException if it is none of the members
   */
  static List<ServerConfig> places(NodeConfig config, double dropPercent) {
    ListenAddress listen = config.listen();
    String host = listen.isEverywhere() ? LOOPBACK : listen.host();
    List<ServerConfig> places =
        config.members().isEmpty()
            ? ports(listen.ports())
                .mapToObj(port -> new HostPort(host, port))
                .map(self -> place(config, self, List.of(self)))
                .toList()
            : config.members().stream()
                .filter(member -> isHere(config, member))
                .map(self -> place(config, self, config.members()))
                .toList();
    if (places.isEmpty()) {
      throw new ConfigException(
          NodeSettings.FILE,
          "this process, which listens on " + listen + ", is none of the members",
          "add it to members, or say with advertise: which of them it is");
    }
    return places.stream().map(place -> place.withDropPercent(dropPercent)).toList();
  }

  private static IntStream ports(PortRange range) {
    return IntStream.rangeClosed(range.first(), range.last());
  }

  private static boolean isHere(NodeConfig config, HostPort member) {
    ListenAddress listen = config.listen();
    if (config.advertise(member.port()).isPresent()) {
      return config.advertise(member.port()).filter(member::equals).isPresent();
    }
    return ports(listen.ports()).anyMatch(port -> port == member.port())
        && (listen.isEverywhere()
            ? isOfThisMachine(member.host())
            : isSame(listen.host(), member.host()));
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

  private static ServerConfig place(NodeConfig config, HostPort self, List<HostPort> members) {
    List<String> servers = members.stream().map(HostPort::toString).toList();
    boolean isLocal = members.stream().allMatch(member -> member.host().equals(LOOPBACK));
    ListenAddress listen = config.listen();
    ServerConfig place =
        ServerConfig.of(self.toString(), servers)
            .withCluster(config.cluster())
            .withBindHost(!listen.isEverywhere() ? listen.host() : isLocal ? LOOPBACK : "0.0.0.0")
            .withMulticastPort(config.multicastPort());
    for (ServiceConfig service : config.services()) {
      place = place.withService(service.name(), options(service));
    }
    return place;
  }

  private static ServiceOptions options(ServiceConfig service) {
    return new ServiceOptions(
        service.reconcile() == ServiceConfig.Reconcile.ADOPT, service.execute() == Execute.ANY);
  }
}
