package dev.tempest.cli;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ClusterStatus;
import dev.tempest.examples.petstore.Pet;
import dev.tempest.examples.petstore.PetStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The pet shop from opening to the comparison of its replicas. */
final class PetStoreRun {
  /** The server that is killed; people count from 1. */
  private static final int VICTIM = 1;

  private static final int ACKS = 2;
  private static final int DELIVERED = 1_000_000;
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration STATUS_DEADLINE = Duration.ofMillis(200);
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long SETTLE_MAX_NANOS = 60 * SECOND_NANOS;
  private static final long LOOK_MILLIS = 40;
  private static final double NANOS_PER_MILLI = 1e6;

  private static final List<String> COLORS = List.of("black", "white", "spotted", "striped");
  private static final List<String> KINDS = List.of("cat", "dog", "fish", "parrot", "turtle");

  private final DemoCluster cluster;
  private final int shoppers;
  private final Duration length;
  private final PrintWriter out;
  private final List<Pet> pets = pets();

  PetStoreRun(DemoCluster cluster, int shoppers, Duration length, PrintWriter out) {
    this.cluster = cluster;
    this.shoppers = shoppers;
    this.length = length;
    this.out = out;
  }

  /** Runs it; false if a sale failed, or the replicas are not equal, or not in time. */
  boolean run() throws IOException, InterruptedException {
    DemoCluster.dropDatagrams();
    FrontEndConfig loaded = cluster.frontEnd().acks(ACKS).deadline(DEADLINE).build();
    try (Admin watcher = Admin.connect(cluster.frontEnd().deadline(STATUS_DEADLINE).build());
        Admin comparer = Admin.connect(loaded);
        FrontEnd frontEnd = FrontEnd.connect(loaded)) {
      introduce();
      cluster.awaitActive(watcher);
      List<String> missing = new PetStore(frontEnd).open(pets, DELIVERED, DEADLINE);
      if (!missing.isEmpty()) {
        say("The shop could not open: " + missing.getFirst());
        return false;
      }
      PetStoreShoppers people = new PetStoreShoppers(frontEnd, pets);
      shop(people);
      String failure = people.failure();
      if (failure != null) {
        say("A sale failed: " + failure);
        return false;
      }
      return isInStep(watcher) && compare(comparer, people);
    }
  }

  private void introduce() {
    say("Three servers on this machine: " + String.join(", ", cluster.servers()));
    say(
        String.format(
            Locale.ROOT,
            "7 services on each, %d kinds of pets, %d shoppers, %.0f %% of datagrams dropped.",
            pets.size(),
            shoppers,
            DemoCluster.DROP_PERCENT));
    say(
        "A page is 7 requests at once, and shows what came within "
            + PetStoreShoppers.PAGE_DEADLINE.toMillis()
            + " ms.");
    say("");
  }

  /** Lets people shop; kills a server after a third of the time, starts it after another. */
  private void shop(PetStoreShoppers people) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    long lastNanos = startNanos;
    long lastPages = 0;
    boolean killed = false;
    boolean restarted = false;
    people.enter(shoppers);
    say(" time    pages      /s  page ms  p50    p99  not whole    sales");
    for (long passed = 0; passed < length.toNanos() && people.failure() == null; ) {
      Thread.sleep(LOOK_MILLIS);
      cluster.check();
      long nowNanos = System.nanoTime();
      passed = nowNanos - startNanos;
      if (!killed && passed >= length.toNanos() / 3) {
        cluster.kill(VICTIM);
        killed = true;
        say("      server " + (VICTIM + 1) + " killed (SIGKILL)");
      } else if (killed && !restarted && passed >= length.toNanos() * 2 / 3) {
        cluster.restart(VICTIM);
        restarted = true;
        say("      server " + (VICTIM + 1) + " started again");
      }
      if (nowNanos - lastNanos >= SECOND_NANOS || passed >= length.toNanos()) {
        long pages = people.pages();
        say(line(people, passed, (pages - lastPages) * SECOND_NANOS / (nowNanos - lastNanos)));
        lastPages = pages;
        lastNanos = nowNanos;
      }
    }
    people.leave();
  }

  private static String line(PetStoreShoppers people, long passedNanos, long perSecond) {
    Histogram nanos = people.takePageNanos();
    return String.format(
        Locale.ROOT,
        "%3d s %,8d %,7d       %6.2f %6.2f %,10d %,8d",
        Math.round(passedNanos / (double) SECOND_NANOS),
        people.pages(),
        perSecond,
        nanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
        nanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
        people.partialPages(),
        people.sales());
  }

  private boolean isInStep(Admin watcher) throws InterruptedException {
    long startNanos = System.nanoTime();
    while (!ClusterStatus.ask(watcher, cluster.servers()).isWhole()) {
      cluster.check();
      if (System.nanoTime() - startNanos > SETTLE_MAX_NANOS) {
        say("The servers did not agree within " + SETTLE_MAX_NANOS / SECOND_NANOS + " s.");
        return false;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return true;
  }

  private boolean compare(Admin admin, PetStoreShoppers people) {
    PetStoreComparison comparison = PetStoreComparison.ask(admin, cluster.servers());
    say("");
    comparison.lines().forEach(this::say);
    List<String> faults = comparison.faults(pets, DELIVERED, people.sales());
    faults.forEach(this::say);
    if (faults.isEmpty()) {
      say(
          String.format(
              Locale.ROOT,
              "%,d pages, %,d sales, 7 services, %d replicas each: all equal, no pet missing",
              people.pages(),
              people.sales(),
              cluster.servers().size()));
    }
    return faults.isEmpty();
  }

  private static List<Pet> pets() {
    List<Pet> pets = new ArrayList<>();
    for (String kind : KINDS) {
      for (String color : COLORS) {
        int cents = 1_999 + 500 * pets.size();
        pets.add(new Pet(color + "-" + kind, "A " + color + " " + kind, cents));
      }
    }
    return pets;
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
