package dev.tempest.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Hosts of a network of their own on this machine: each a network namespace of Linux, with a cable
 * to a switch. The switch is a namespace too, with a bridge for every side of a partition, so
 * nothing is seen of it outside, and all goes when the namespaces go.
 *
 * <p>Not thread-safe.
 */
final class Network implements AutoCloseable {
  /** The address of host i is this and i, from 1. */
  static final String PREFIX = "10.77.0.";

  private static final Pattern NAME = Pattern.compile("tempest-(\\d+)-\\d+-\\w+");
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String name;
  private final int hosts;

  /** No host has it. */
  private static final String NOBODYS_MAC = "02:00:00:00:00:00";

  /** Which of its bridges each host is plugged into. */
  private final List<Integer> bridges = new ArrayList<>();

  private final Set<OneWay> blocked = new LinkedHashSet<>();

  /** From one host to another. */
  private record OneWay(int from, int to) {}

  private Network(String name, int hosts) {
    this.name = name;
    this.hosts = hosts;
  }

  /** Why this machine cannot have such networks; empty if it can. */
  static Optional<String> impossible() {
    String probe = "tempest-%d-0-probe".formatted(ProcessHandle.current().pid());
    try {
      removeLeftovers();
      ip("netns", "add", probe);
      ip("netns", "del", probe);
      return Optional.empty();
    } catch (IOException | IllegalStateException refused) {
      return Optional.of(
          "no network namespaces, so no cluster of processes is tried here: this takes root on"
              + " Linux and the command 'ip' (package iproute2): "
              + refused.getMessage());
    }
  }

  /** A network with all its hosts in reach of each other. */
  static Network of(int hosts) throws IOException {
    Network network =
        new Network(
            "tempest-%d-%d".formatted(ProcessHandle.current().pid(), NUMBER.incrementAndGet()),
            hosts);
    try {
      ip("netns", "add", network.aSwitch());
      network.addBridge(0);
      network.addBridge(1);
      for (int host = 1; host <= hosts; host++) {
        network.add(host);
      }
      return network;
    } catch (IOException | RuntimeException failed) {
      network.close();
      throw failed;
    }
  }

  /** A command that runs another on a host. */
  List<String> on(int host, List<String> command) {
    return Stream.concat(Stream.of("ip", "netns", "exec", host(host)), command.stream()).toList();
  }

  /** Lets a host send so many megabits a second at most; what is more waits in its system. */
  void slowDown(int host, int megabits) throws IOException {
    List<String> tc = List.of("tc", "qdisc", "add", "dev", "eth0", "root", "tbf");
    String rate = megabits + "mbit";
    List<String> limits = List.of("rate", rate, "burst", "64kb", "limit", "50mb");
    run(on(host, Stream.concat(tc.stream(), limits.stream()).toList()));
  }

  /**
   * Gives a host another address in place of its own, and lets its cable lead to these networks.
   */
  void readdress(int host, String address, String... routes) throws IOException {
    ip("-n", host(host), "address", "flush", "dev", "eth0");
    ip("-n", host(host), "route", "flush", "dev", "eth0");
    ip("-n", host(host), "address", "add", address, "dev", "eth0", "nodad");
    for (String route : routes) {
      ip("-n", host(host), "route", "add", route, "dev", "eth0");
    }
  }

  /** Gives a host a second interface, to which the way to all else leads. */
  void addInterface(int host, String address, String gateway) throws IOException {
    ip("-n", host(host), "link", "add", "aaa0", "type", "veth", "peer", "aaa1");
    ip("-n", host(host), "address", "add", address, "dev", "aaa0");
    ip("-n", host(host), "link", "set", "aaa0", "up");
    ip("-n", host(host), "link", "set", "aaa1", "up");
    ip("-n", host(host), "route", "add", "default", "via", gateway);
  }

  /** Switches a host's cable off, as before it is plugged in. */
  void switchOff(int host) throws IOException {
    ip("-n", host(host), "link", "set", "eth0", "down");
  }

  /** Switches it on again. */
  void switchOn(int host) throws IOException {
    ip("-n", host(host), "link", "set", "eth0", "up");
    ip("-n", host(host), "route", "add", "224.0.0.0/4", "dev", "eth0");
  }

  /** Cuts the network in two: the hosts up to this one, and the others. */
  void partitionAfter(int last) throws IOException {
    for (int host = last + 1; host <= hosts; host++) {
      plug(host, 1);
    }
  }

  /** Cuts one host off from all others that are not cut off. */
  void cutOff(int host) throws IOException {
    plug(host, 1);
  }

  /** Loses what one host sends to another, which is still heard there. */
  void block(int from, int to) throws IOException {
    blocked.add(new OneWay(from, to));
    neighbour(
        from, "replace", PREFIX + to, "lladdr", NOBODYS_MAC, "dev", "eth0", "nud", "permanent");
  }

  /** Puts all hosts in reach of each other again. */
  void heal() throws IOException {
    for (OneWay each : blocked) {
      neighbour(each.from, "del", PREFIX + each.to, "dev", "eth0");
    }
    blocked.clear();
    for (int host = 1; host <= hosts; host++) {
      if (bridges.get(host - 1) != 0) {
        plug(host, 0);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (String namespace : namespaces()) {
      if (namespace.startsWith(name + "-")) {
        remove(namespace);
      }
    }
  }

  private void add(int host) throws IOException {
    String cable = "host" + host;
    ip("netns", "add", host(host));
    ip("-n", aSwitch(), "link", "add", cable, "type", "veth", "peer", "eth0", "netns", host(host));
    ip("-n", aSwitch(), "link", "set", cable, "up");
    bridges.add(0);
    plug(host, 0);
    ip("-n", host(host), "link", "set", "lo", "up");
    ip("-n", host(host), "address", "add", PREFIX + host + "/24", "dev", "eth0");
    ip("-n", host(host), "link", "set", "eth0", "up");
    ip("-n", host(host), "route", "add", "224.0.0.0/4", "dev", "eth0");
  }

  private void addBridge(int bridge) throws IOException {
    // One that snoops would pass multicast on only where it has heard of members.
    ip("-n", aSwitch(), "link", "add", bridge(bridge), "type", "bridge", "mcast_snooping", "0");
    ip("-n", aSwitch(), "link", "set", bridge(bridge), "up");
  }

  private void plug(int host, int bridge) throws IOException {
    ip("-n", aSwitch(), "link", "set", "host" + host, "master", bridge(bridge));
    bridges.set(host - 1, bridge);
  }

  private void neighbour(int host, String command, String... entry) throws IOException {
    List<String> all = List.of("ip", "-n", host(host), "neighbour", command);
    run(Stream.concat(all.stream(), Stream.of(entry)).toList());
  }

  private static String bridge(int bridge) {
    return "bridge" + bridge;
  }

  private String aSwitch() {
    return name + "-switch";
  }

  private String host(int host) {
    return name + "-" + host;
  }

  /** Runs that were killed could not tidy up. */
  private static void removeLeftovers() throws IOException {
    for (String namespace : namespaces()) {
      Matcher matcher = NAME.matcher(namespace);
      if (matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
        remove(namespace);
      }
    }
  }

  private static List<String> namespaces() throws IOException {
    // A line may go on with the namespace's number.
    return ip("netns", "list").lines().map(line -> line.split(" ", 2)[0]).toList();
  }

  /** With all processes in it, for it lives as long as they do. */
  private static void remove(String namespace) throws IOException {
    ip("netns", "pids", namespace)
        .lines()
        .map(pid -> ProcessHandle.of(Long.parseLong(pid.strip())))
        .flatMap(Optional::stream)
        .forEach(ProcessHandle::destroyForcibly);
    ip("netns", "del", namespace);
  }

  private static String ip(String... arguments) throws IOException {
    return run(Stream.concat(Stream.of("ip"), Stream.of(arguments)).toList());
  }

  private static String run(List<String> command) throws IOException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            command.stream().collect(Collectors.joining(" ", "'", "' says: ")) + said.strip());
      }
      return said;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }
}
