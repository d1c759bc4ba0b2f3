package dev.tempest.cli;

import dev.tempest.FrontEndConfig;
import dev.tempest.config.HostPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How tools reach a cluster. */
final class ClusterOptions {
  private static final List<String> DEFAULT_SERVERS =
      List.of("127.0.0.1:7400", "127.0.0.1:7401", "127.0.0.1:7402");

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "HOST:PORT",
      description =
          "All servers of the cluster, with commas between. Default: TEMPEST_SERVERS, else"
              + " 127.0.0.1:7400 to 7402.")
  private @Nullable List<String> servers;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "The cluster's name. Default: TEMPEST_CLUSTER, else tempest.")
  private @Nullable String cluster;

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
    return servers != null || System.getenv("TEMPEST_SERVERS") != null;
  }

  /** All servers as written; the form and the host of each are checked. */
  List<String> servers() {
    List<String> chosen = new ArrayList<>();
    String variable = System.getenv("TEMPEST_SERVERS");
    if (servers != null) {
      chosen.addAll(servers);
    } else {
      chosen.addAll(variable == null ? DEFAULT_SERVERS : List.of(variable.split(",", -1)));
    }
    String where =
        servers != null || variable == null
            ? "option --servers"
            : "environment variable TEMPEST_SERVERS";
    chosen.replaceAll(server -> check(server.strip(), where));
    return chosen;
  }

  String clusterName() {
    if (cluster != null) {
      return cluster;
    }
    String variable = System.getenv("TEMPEST_CLUSTER");
    return variable == null ? FrontEndConfig.DEFAULT_CLUSTER : variable;
  }

  private static String check(String server, String where) {
    try {
      HostPort address = HostPort.parse(server);
      InetAddress.getByName(address.host());
      return address.toString();
    } catch (UnknownHostException e) {
      CommandException unknown =
          new CommandException(
              ExitCode.UNAVAILABLE,
              "unknown host in '" + server + "'",
              where,
              "check its spelling and the name service");
      unknown.initCause(e);
      throw unknown;
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
