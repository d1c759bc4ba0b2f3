package dev.tempest.cli;

import dev.tempest.admin.Admin;
import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.NodeStatus;
import dev.tempest.admin.ServiceStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What the demo's cluster does, as one line per second. */
final class DemoMonitor {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final DemoOrder by;
  private final Admin admin;
  private final List<String> servers;
  private final DemoReplay replay;
  private final long startNanos = System.nanoTime();

  /** The repairs of each incarnation of a server: a restarted one counts from 0 again. */
  private final Map<List<Object>, Long> repaired = new HashMap<>();

  private ClusterStatus latest;
  private int agreeingBest;
  private long lastNanos = startNanos;
  private long lastOrders;
  private long lastReads;

  DemoMonitor(DemoOrder by, Admin admin, List<String> servers, DemoReplay replay) {
    this.by = by;
    this.admin = admin;
    this.servers = servers;
    this.replay = replay;
    this.latest = new ClusterStatus(servers, Map.of(), Map.of());
  }

  /** What stands above the lines. */
  String heading() {
    return String.format(
        " time   orders      /s   reads/s  order ms       read ms        %7s  servers%n"
            + "         total                    p50    p99     p50    p99               agree",
        by == DemoOrder.TIME ? "repairs" : "leader");
  }

  /** Asks all servers how they are. */
  ClusterStatus look() {
    latest = ClusterStatus.ask(admin, servers);
    agreeingBest = Math.max(agreeingBest, latest.agreeing(DemoCluster.SERVICE).size());
    for (NodeStatus status : latest.answers().values()) {
      for (ServiceStatus service : status.services()) {
        repaired.merge(List.of(status.name(), status.started()), service.repaired(), Math::max);
      }
    }
    return latest;
  }

  /** How many seconds have passed, rounded. */
  long seconds() {
    return Math.round((System.nanoTime() - startNanos) / NANOS_PER_SECOND);
  }

  /** Updates that lost datagrams kept from a replica and gossip brought. */
  long repairs() {
    return repaired.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The line for the time since the last one. */
  String line() {
    long nowNanos = System.nanoTime();
    double seconds = (nowNanos - lastNanos) / NANOS_PER_SECOND;
    long orders = replay.ordersDone();
    long reads = replay.readsDone();
    Histogram orderNanos = replay.takeOrderNanos();
    Histogram readNanos = replay.takeReadNanos();
    String line =
        String.format(
            Locale.ROOT,
            "%3d s %8s %7s %9s  %s  %s %9s   %d of %d",
            seconds(),
            count(orders),
            count(Math.round((orders - lastOrders) / seconds)),
            count(Math.round((reads - lastReads) / seconds)),
            percentiles(orderNanos),
            percentiles(readNanos),
            by == DemoOrder.TIME ? count(repairs()) : leader(),
            agreeingBest,
            servers.size());
    lastNanos = nowNanos;
    lastOrders = orders;
    lastReads = reads;
    agreeingBest = 0;
    return line;
  }

  private String leader() {
    return latest
        .leader(DemoCluster.SERVICE)
        .map(server -> "server " + (servers.indexOf(server) + 1))
        .orElse("-");
  }

  private static String percentiles(Histogram nanos) {
    return nanos.getTotalCount() == 0
        ? "    -      -"
        : String.format("%5s %6s", millis(nanos, 50), millis(nanos, 99));
  }

  private static String millis(Histogram nanos, double percentile) {
    double millis = nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    return String.format(Locale.ROOT, millis < 10 ? "%.2f" : "%.0f", millis);
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
