package dev.tempest.cli;

import dev.tempest.FrontEndConfig;
import dev.tempest.config.HostPort;
import dev.tempest.config.ListenAddress;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.PortRange;
import dev.tempest.config.file.NodeSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How tools reach a cluster. */
final class ClusterOptions {
  private static final String LOOPBACK = "127.0.0.1";

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "HOST:PORT",
      description =
          "All servers of the cluster, with commas between. Default: TEMPEST_SERVERS, else those"
              + " of the file: its members, or where it listens, its seeds and dns; else"
              + " 127.0.0.1:7400 to 7415.")
  private @Nullable List<String> servers;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description =
          "The cluster's name. Default: TEMPEST_CLUSTER, else that of the file, else tempest.")
  private @Nullable String cluster;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration file of a node. Default: TEMPEST_CONFIG, else tempest.yaml here, if"
              + " there is one.")
  private @Nullable Path config;

  private @Nullable NodeConfig node;

  /** How a front-end reaches the cluster. */
  FrontEndConfig.Builder config() {
    return config(servers());
  }

  /** How a front-end reaches these servers of the cluster. */
  FrontEndConfig.Builder config(List<String> chosen) {
    return FrontEndConfig.builder(chosen).cluster(clusterName());
  }

  /** Whether somebody said which servers there are; else these are only where to look. */
  boolean namesServers() {
    return servers != null
        || System.getenv("TEMPEST_SERVERS") != null
        || !node().members().isEmpty();
  }

  /** All servers as written; the form and the host of each are checked. */
  List<String> servers() {
    String variable = System.getenv("TEMPEST_SERVERS");
    if (servers != null) {
      return checked(servers, "option --servers");
    }
    return variable == null
        ? known(written())
        : checked(List.of(variable.split(",", -1)), "environment variable TEMPEST_SERVERS");
  }

  /** Of the hosts in a file some may be gone, and the others can be asked; if there are others. */
  private static List<String> known(List<HostPort> all) {
    List<String> known = new ArrayList<>();
    @Nullable CommandException unknown = null;
    for (HostPort server : all) {
      try {
        known.add(requireKnown(server, "members, seeds, dns or listen of the configuration"));
      } catch (CommandException gone) {
        unknown = gone;
      }
    }
    if (known.isEmpty() && unknown != null) {
      throw unknown;
    }
    return known;
  }

  private static List<String> checked(List<String> chosen, String where) {
    if (chosen.isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE, "no servers", where, "write host:port, such as 127.0.0.1:7400");
    }
    return chosen.stream()
        .map(server -> requireKnown(parse(server.strip(), where), where))
        .toList();
  }

  /** Where the nodes are that are configured here. */
  private List<HostPort> written() {
    if (!node().members().isEmpty()) {
      return node().members();
    }
    ListenAddress listen = node().listen();
    String host = listen.isEverywhere() ? LOOPBACK : listen.host();
    List<HostPort> nodes = new ArrayList<>();
    PortRange ports = listen.ports().asked();
    for (int port = ports.first(); port <= ports.last(); port++) {
      nodes.add(new HostPort(host, port));
    }
    nodes.addAll(node().seeds());
    node().dns().ifPresent(nodes::add);
    return nodes;
  }

  /** What a node would read that is started here; only asked where no option says it. */
  private NodeConfig node() {
    NodeConfig read = node;
    if (read == null) {
      read = NodeSettings.load(config, Map.of()).config();
      node = read;
    }
    return read;
  }

  String clusterName() {
    return cluster == null ? NodeSettings.loadCluster(config) : cluster;
  }

  private static String requireKnown(HostPort server, String where) {
    try {
      InetAddress.getByName(server.host());
      return server.toString();
    } catch (UnknownHostException e) {
      CommandException unknown =
          new CommandException(
              ExitCode.UNAVAILABLE,
              "unknown host in '" + server + "'",
              where,
              "check its spelling and the name service");
      unknown.initCause(e);
      throw unknown;
    }
  }

  /** How another command asks the same cluster, as people type it. */
  String commandLine(String command) {
    // The launcher says by what name it was called.
    StringBuilder all = new StringBuilder(System.getProperty("tempest.command", "tempest"));
    all.append(' ').append(command);
    if (servers != null) {
      all.append(" --servers ").append(String.join(",", servers));
    }
    if (cluster != null) {
      all.append(" --cluster ").append(cluster);
    }
    if (config != null) {
      all.append(" --config ").append(config);
    }
    return all.toString();
  }

  private static HostPort parse(String server, String where) {
    try {
      return HostPort.parse(server);
    } catch (IllegalArgumentException e) {
      CommandException refusal =
          new CommandException(
              ExitCode.USAGE,
              String.valueOf(e.getMessage()),
              where,
              "write host:port, such as 127.0.0.1:7400");
      refusal.initCause(e);
      throw refusal;
    }
  }
}
