package dev.tempest.bench;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.tempest.FrontEnd;
import dev.tempest.Outcome;
import dev.tempest.Reads;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ServiceState;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The client of overloaded servers: one stream of updates, and reads of what it wrote. It knows of
 * each item how many additions were acknowledged. Updates end with the attack, reads go on.
 */
final class OverloadClient implements Program.Answers<OverloadClient.Phases, List<Point>> {
  private static final Duration READ_DEADLINE = Duration.ofSeconds(1);
  private static final Duration UPDATE_DEADLINE = Duration.ofSeconds(5);
  private static final int BIN_MILLIS = 2_000;
  private static final int ITEMS = 128;
  private static final int REQUEST_BYTES = 1_024;
  private static final long PERIOD_NANOS = 20_000_000;

  /** Reads of the victims, as in the paper. */
  private static final int THREADS_AT_VICTIMS = 8;

  /** Reads as applications do them, for comparison. */
  private static final int THREADS_AT_FASTEST = 2;

  private static final String VICTIMS = "victims";
  private static final String FASTEST = "fastest";

  private static final String FRESH = "fresh";

  /** It shows fewer additions than were acknowledged before the read began. */
  private static final String STALE = "stale";

  private static final String UNANSWERED = "unanswered";

  private static final long SETTLES_WITHIN_MILLIS = 60_000;
  private static final long LOOK_AGAIN_NANOS = 100_000_000;

  /** How long there is no attack yet, there is one, and there is none any more. */
  record Phases(long beforeMillis, long attackMillis, long afterMillis) implements Serializable {
    private long updatingMillis() {
      return beforeMillis + attackMillis;
    }

    private long totalMillis() {
      return updatingMillis() + afterMillis;
    }

    private String at(long millis) {
      return millis < beforeMillis ? "normal" : millis < updatingMillis() ? "attack" : "recovery";
    }
  }

  /** How a read ended, and when, since the start. */
  private record Ended(String asked, long millis, String how) {}

  private final List<String> servers;
  private final int victims;
  private final FrontEnd frontEnd;
  private final List<FrontEnd> each;
  private final Admin admin;
  private final byte[] padding = new byte[REQUEST_BYTES];
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(ITEMS);
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger unable = new AtomicInteger();
  private final AtomicInteger unknown = new AtomicInteger();
  private final Queue<Ended> reads = new ConcurrentLinkedQueue<>();

  /**
   * Connects.
   *
   * @param victims how many of the servers, from the first
   */
  OverloadClient(TempestAddress address, int victims) {
    this.servers = address.servers();
    this.victims = victims;
    this.frontEnd = FrontEnd.connect(address.frontEnd().deadline(UPDATE_DEADLINE).build());
    this.admin = Admin.connect(address.frontEnd().build());
    this.each =
        servers.stream()
            .map(server -> address.only(server).frontEnd().reads(Reads.of(1)))
            .map(one -> FrontEnd.connect(one.deadline(READ_DEADLINE).build()))
            .toList();
  }

  /** Counts of reads, and in the last point what became of the updates. */
  @Override
  public List<Point> answer(Phases phases) throws InterruptedException {
    long startNanos = System.nanoTime();
    long endNanos = startNanos + phases.totalMillis() * 1_000_000;
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < THREADS_AT_VICTIMS + THREADS_AT_FASTEST; i++) {
      boolean atVictim = i < THREADS_AT_VICTIMS;
      FrontEnd asked = atVictim ? each.get(i % victims) : frontEnd;
      String name = atVictim ? VICTIMS : FASTEST;
      readers.add(Thread.ofPlatform().start(() -> read(asked, name, startNanos, endNanos)));
    }
    update(startNanos, startNanos + phases.updatingMillis() * 1_000_000);
    for (Thread reader : readers) {
      reader.join();
    }
    List<Point> points = new ArrayList<>();
    for (String asked : List.of(VICTIMS, FASTEST)) {
      for (long from = 0; from < phases.totalMillis(); from += BIN_MILLIS) {
        points.add(bin(asked, from).with("phase", phases.at(from)));
      }
    }
    points.add(outcome(phases));
    return points;
  }

  /** Counts how reads ended in two seconds. */
  private Point bin(String asked, long fromMillis) {
    Map<String, Long> counts =
        reads.stream()
            .filter(read -> read.asked.equals(asked))
            .filter(read -> read.millis - read.millis % BIN_MILLIS == fromMillis)
            .collect(groupingBy(Ended::how, counting()));
    long stale = counts.getOrDefault(STALE, 0L);
    return Point.of(
        "asked",
        asked,
        "second",
        fromMillis / 1_000,
        "answered",
        counts.getOrDefault(FRESH, 0L) + stale,
        "stale",
        stale,
        "unanswered",
        counts.getOrDefault(UNANSWERED, 0L));
  }

  /**
   * What became of the updates: how many acknowledged ones each server lacks, once all servers have
   * settled the same state.
   */
  private Point outcome(Phases phases) {
    int done = IntStream.range(0, ITEMS).map(acknowledged::get).sum();
    long settledMillis = settle();
    List<Integer> lost = each.stream().map(this::lostAt).toList();
    long lastStaleMillis =
        reads.stream()
            .filter(read -> read.asked.equals(VICTIMS) && read.how.equals(STALE))
            .mapToLong(Ended::millis)
            .max()
            .orElse(0);
    return Point.of(
        "updates", sent.get(),
        "acknowledged", done,
        "unable", unable.get(),
        "unknown", unknown.get(),
        "lastStaleAfterAttackMillis", Math.max(0, lastStaleMillis - phases.updatingMillis()),
        "settledMillis", settledMillis,
        "lost", lost,
        "mostLost", Collections.max(lost));
  }

  private void update(long startNanos, long endNanos) {
    PaddedCart cart = frontEnd.service(PaddedCart.class);
    for (long dueNanos = startNanos; dueNanos - endNanos < 0; dueNanos += PERIOD_NANOS) {
      TimedClient.sleepUntil(dueNanos);
      int item = sent.getAndIncrement() % ITEMS;
      var _ =
          frontEnd
              .<PaddedCart, Integer>async(
                  cart, c -> c.add(CartClient.CUSTOMER, CartClient.item(item), 1, padding))
              .thenAccept(outcome -> updated(item, outcome));
    }
  }

  private void updated(int item, Outcome<Integer> outcome) {
    switch (outcome) {
      case Outcome.Ok<Integer> ok -> acknowledged.incrementAndGet(item);
      case Outcome.Unable<Integer> refused -> unable.incrementAndGet();
      case Outcome.Unknown<Integer> open -> unknown.incrementAndGet();
      case Outcome.Threw<Integer> threw -> throw new IllegalStateException(threw.what());
    }
  }

  private void read(FrontEnd asked, String name, long startNanos, long endNanos) {
    PaddedCart cart = asked.service(PaddedCart.class);
    SplittableRandom random = new SplittableRandom();
    long dueNanos = System.nanoTime() + random.nextLong(PERIOD_NANOS);
    while (dueNanos - endNanos < 0) {
      TimedClient.sleepUntil(dueNanos);
      int item = random.nextInt(ITEMS);
      int before = acknowledged.get(item);
      Outcome<Integer> outcome =
          asked.outcome(cart, c -> c.check(CartClient.CUSTOMER, CartClient.item(item), padding));
      long now = System.nanoTime();
      String how = UNANSWERED;
      if (outcome instanceof Outcome.Ok<Integer>(Integer shown)) {
        how = shown < before ? STALE : FRESH;
      }
      // What ends later than all begin counts into the last bin.
      reads.add(new Ended(name, (Math.min(now, endNanos - 1) - startNanos) / 1_000_000, how));
      dueNanos = Math.max(dueNanos + PERIOD_NANOS, now);
    }
  }

  /** Milliseconds until all servers have settled the same state; -1 if they do not. */
  private long settle() {
    long startNanos = System.nanoTime();
    long millis = 0;
    while (millis < SETTLES_WITHIN_MILLIS) {
      if (hasSettled()) {
        return millis;
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      millis = (System.nanoTime() - startNanos) / 1_000_000;
    }
    return -1;
  }

  private boolean hasSettled() {
    List<ServiceState> states =
        servers.stream().map(server -> admin.state(TempestServer.CART, server)).toList();
    return states.stream()
        .allMatch(state -> state.unsettled() == 0 && state.isSameAs(states.getFirst()));
  }

  private int lostAt(FrontEnd server) {
    PaddedCart cart = server.service(PaddedCart.class);
    int missing = 0;
    for (int item = 0; item < ITEMS; item++) {
      int shown = cart.check(CartClient.CUSTOMER, CartClient.item(item), padding);
      missing += Math.max(0, acknowledged.get(item) - shown);
    }
    return missing;
  }
}
