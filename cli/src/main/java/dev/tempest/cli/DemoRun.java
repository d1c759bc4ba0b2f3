package dev.tempest.cli;

import dev.tempest.FrontEndConfig;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ServiceStatus;
import dev.tempest.examples.cart.OrderLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The demo from the first line to the moment when all replicas agree. */
final class DemoRun {
  /** The server that is killed; people count from 1. */
  private static final int VICTIM = 1;

  private static final int ACKS = 2;
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration STATUS_DEADLINE = Duration.ofMillis(200);
  private static final long LOOK_MILLIS = 40;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long SETTLE_MAX_NANOS = 60 * SECOND_NANOS;

  private final DemoCluster cluster;
  private final List<OrderLine> orders;
  private final Duration length;
  private final PrintWriter out;

  private boolean killed;
  private long killedNanos;
  private boolean restarted;
  private boolean rejoined;

  /**
   * @param length over how much time the orders are spread
   */
  DemoRun(DemoCluster cluster, List<OrderLine> orders, Duration length, PrintWriter out) {
    this.cluster = cluster;
    this.orders = orders;
    this.length = length;
    this.out = out;
  }

  /** Plays it; false if an order failed, or the replicas did not agree in time. */
  boolean run() throws IOException, InterruptedException {
    introduce();
    DemoCluster.dropDatagrams();
    FrontEndConfig loaded = cluster.frontEnd().acks(ACKS).deadline(DEADLINE).build();
    try (Admin watcher = Admin.connect(cluster.frontEnd().deadline(STATUS_DEADLINE).build());
        DemoReplay replay = new DemoReplay(orders, loaded, length)) {
      cluster.awaitActive(watcher);
      DemoMonitor monitor = new DemoMonitor(watcher, cluster.servers(), replay);
      replay.start();
      say(DemoMonitor.HEADING);
      boolean agreeing = watch(monitor, replay);
      String failure = replay.failure();
      if (failure != null) {
        say("An order failed: " + failure);
      } else if (!agreeing) {
        say("The servers did not agree within " + SETTLE_MAX_NANOS / SECOND_NANOS + " s.");
      }
      return failure == null && agreeing;
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
    say("An order counts when 2 servers have it (acks: 2): killing one can lose none.");
    say("Servers lag behind each other for moments; at the end all three have to agree.");
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
    String server = "server " + (VICTIM + 1);
    if (!killed && (done || replay.ordersDone() >= orders.size() / 3)) {
      cluster.kill(VICTIM);
      killed = true;
      killedNanos = System.nanoTime();
      say("      " + server + " killed (SIGKILL)");
    } else if (killed && !restarted && System.nanoTime() - killedNanos >= length.toNanos() / 8) {
      cluster.restart(VICTIM);
      restarted = true;
      say("      " + server + " started again");
    } else if (restarted
        && !rejoined
        && status
            .of(cluster.servers().get(VICTIM), DemoCluster.SERVICE)
            .filter(ServiceStatus::active)
            .isPresent()) {
      // It answers before it has written that line.
      Optional<String> news = cluster.stateNews(DemoCluster.SERVICE, VICTIM);
      rejoined = news.isPresent();
      news.ifPresent(line -> say("      " + server + " back: " + line));
    }
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
