package dev.tempest.cli;

import dev.tempest.FrontEndConfig;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.examples.cart.CartLine;
import dev.tempest.examples.cart.OrderLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The demo from the first line to the moment when all replicas agree. */
final class DemoRun {
  /** The server that is killed if none leads; people count from 1. */
  private static final int VICTIM = 1;

  private static final int FAULTS_SHOWN = 20;
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration STATUS_DEADLINE = Duration.ofMillis(200);
  private static final long LOOK_MILLIS = 40;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long SETTLE_MAX_NANOS = 60 * SECOND_NANOS;

  private final DemoOrder by;
  private final DemoCluster cluster;
  private final List<OrderLine> orders;
  private final Duration length;
  private final PrintWriter out;

  private int victim = -1;
  private long killedNanos;
  private boolean restarted;
  private boolean rejoined;
  private long rejoinedNanos;

  /**
   * @param length over how much time the orders are spread
   */
  DemoRun(
      DemoOrder by, DemoCluster cluster, List<OrderLine> orders, Duration length, PrintWriter out) {
    this.by = by;
    this.cluster = cluster;
    this.orders = orders;
    this.length = length;
    this.out = out;
  }

  /**
   * Plays it; false if an order failed, the replicas did not agree in time, or what clients were
   * told is not linearizable though it should be.
   */
  boolean run() throws IOException, InterruptedException {
    introduce();
    DemoCluster.dropDatagrams();
    FrontEndConfig loaded =
        cluster.frontEnd().acks(by == DemoOrder.TIME ? 2 : 1).deadline(DEADLINE).build();
    try (Admin watcher = Admin.connect(cluster.frontEnd().deadline(STATUS_DEADLINE).build());
        DemoReplay replay = new DemoReplay(by, orders, loaded, length)) {
      cluster.awaitActive(watcher);
      DemoMonitor monitor = new DemoMonitor(by, watcher, cluster.servers(), replay);
      replay.start();
      say(monitor.heading());
      boolean agreeing = watch(monitor, replay);
      String failure = replay.failure();
      if (failure != null) {
        say("An order failed: " + failure);
      } else if (!agreeing) {
        say("The servers did not agree within " + SETTLE_MAX_NANOS / SECOND_NANOS + " s.");
      }
      return failure == null && agreeing && review(replay.history());
    }
  }

  private void introduce() {
    say(
        String.format(
            Locale.ROOT,
            "Three servers on this machine: %s",
            String.join(", ", cluster.servers())));
    say(
        String.format(
            Locale.ROOT,
            "%,d real order lines, %d front-ends, %.0f %% of datagrams dropped on purpose.",
            orders.size(),
            DemoReplay.FRONT_ENDS,
            DemoCluster.DROP_PERCENT));
    switch (by) {
      case TIME -> {
        say("An order counts when 2 servers have it (acks: 2): killing one can lose none.");
        say("Servers lag behind each other for moments; at the end all three have to agree.");
      }
      case CONSENSUS -> {
        say("An order counts when 2 servers have agreed on it: killing one can lose none.");
        say("One front-end orders, another one reads the same all the while, at any server.");
      }
    }
    say("");
  }

  /** Shows a line per second until all is done and all replicas agree. */
  private boolean watch(DemoMonitor monitor, DemoReplay replay)
      throws IOException, InterruptedException {
    long nextLineNanos = System.nanoTime() + SECOND_NANOS;
    long doneNanos = 0;
    boolean agreeing = false;
    while (!agreeing && replay.failure() == null) {
      boolean done = replay.await(LOOK_MILLIS);
      cluster.check();
      ClusterStatus status = monitor.look();
      intervene(status, replay, done);
      long nowNanos = System.nanoTime();
      if (done) {
        doneNanos = doneNanos == 0 ? nowNanos : doneNanos;
        agreeing = rejoined && allAgree(status);
        if (nowNanos - doneNanos > SETTLE_MAX_NANOS) {
          return false;
        }
      }
      if (agreeing || nowNanos - nextLineNanos >= 0) {
        say(monitor.line());
        // A starved machine skips lines rather than printing several at once.
        nextLineNanos = Math.max(nextLineNanos, nowNanos - SECOND_NANOS / 2) + SECOND_NANOS;
      }
    }
    return agreeing;
  }

  private void intervene(ClusterStatus status, DemoReplay replay, boolean done)
      throws IOException, InterruptedException {
    long nowNanos = replay.history().nowNanos();
    if (victim < 0) {
      int next = by == DemoOrder.TIME ? VICTIM : leader(status);
      if (next >= 0 && (done || replay.ordersDone() >= orders.size() / 3)) {
        victim = next;
        killedNanos = nowNanos;
        cluster.kill(victim);
        say(
            "      "
                + victim()
                + (by == DemoOrder.TIME ? "" : ", which leads,")
                + " killed (SIGKILL)");
      }
    } else if (!restarted && nowNanos - killedNanos >= length.toNanos() / 8) {
      cluster.restart(victim);
      restarted = true;
      say("      " + victim() + " started again");
    } else if (restarted
        && !rejoined
        && status
            .of(cluster.servers().get(victim), DemoCluster.SERVICE)
            .filter(ServiceStatus::active)
            .isPresent()) {
      // It answers before it has written that line.
      Optional<String> news = cluster.stateNews(DemoCluster.SERVICE, victim);
      rejoined = news.isPresent();
      rejoinedNanos = nowNanos;
      news.ifPresent(line -> say("      " + victim() + " back: " + line));
    }
  }

  private String victim() {
    return "server " + (victim + 1);
  }

  /** Who leads; -1 while nobody does. */
  private int leader(ClusterStatus status) {
    return status.leader(DemoCluster.SERVICE).map(cluster.servers()::indexOf).orElse(-1);
  }

  /** Says what clients have seen of it; false if their answers do not fit. */
  private boolean review(DemoHistory history) {
    say(
        String.format(
            Locale.ROOT,
            "Longest wait while %s was away: order %s, read %s",
            victim(),
            longestWait(history, true),
            longestWait(history, false)));
    if (by == DemoOrder.TIME) {
      return true; // What it promises is that the servers agree in the end.
    }
    Map<CartLine, List<DemoHistory.Told>> lines = history.byLine();
    List<String> wrong =
        lines.values().stream().flatMap(told -> DemoLinearizability.wrong(told).stream()).toList();
    if (wrong.isEmpty()) {
      say(
          String.format(
              Locale.ROOT,
              "%,d orders, %,d reads, %,d cart lines: each line is linearizable",
              orders.size(),
              history.reads(),
              lines.size()));
    } else {
      say(wrong.size() + " answers are not linearizable:");
      wrong.stream().limit(FAULTS_SHOWN).forEach(each -> say("  " + each));
    }
    return wrong.isEmpty();
  }

  private String longestWait(DemoHistory history, boolean orders) {
    OptionalLong nanos = history.longestWaitNanos(orders, killedNanos, rejoinedNanos);
    return nanos.isEmpty() ? "none" : String.format("%,d ms", nanos.getAsLong() / 1_000_000);
  }

  private boolean allAgree(ClusterStatus status) {
    return status.agreeing(DemoCluster.SERVICE).size() == cluster.servers().size()
        && status.isWhole();
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
