package dev.tempest.bench.tempest;

import dev.tempest.FrontEnd;
import dev.tempest.Outcome;
import dev.tempest.Reads;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ServiceState;
import dev.tempest.bench.load.ChildMain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The client of the experiment with overloaded servers: one stream of updates, and reads of what it
 * wrote. It knows of each item how many additions were acknowledged.
 */
public final class OverloadClient {
  private static final String CUSTOMER = "17850";
  private static final int ITEMS = 128;
  private static final int REQUEST_BYTES = 1_024;
  private static final long PERIOD_NANOS = 20_000_000;

  /** Reads of the victims, as in the paper. */
  private static final int THREADS_AT_VICTIMS = 8;

  /** Reads as applications do them, for comparison. */
  private static final int THREADS_AT_FASTEST = 2;

  private static final Duration READ_DEADLINE = Duration.ofSeconds(1);
  private static final Duration UPDATE_DEADLINE = Duration.ofSeconds(5);
  private static final long SETTLES_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long LOOK_AGAIN_NANOS = 100_000_000;

  private final List<String> servers;
  private final FrontEnd frontEnd;
  private final Admin admin;
  private final List<FrontEnd> each = new ArrayList<>();
  private final int victims;
  private final byte[] padding = new byte[REQUEST_BYTES];
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(ITEMS);
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger unable = new AtomicInteger();
  private final AtomicInteger unknown = new AtomicInteger();

  private OverloadClient(String servers, String multicastPort, int victims) {
    this.servers = List.of(servers.split(",", -1));
    this.victims = victims;
    this.frontEnd =
        FrontEnd.connect(
            TempestArguments.frontEnd(servers, multicastPort).deadline(UPDATE_DEADLINE).build());
    this.admin = Admin.connect(TempestArguments.frontEnd(servers, multicastPort).build());
    for (String server : this.servers) {
      each.add(
          FrontEnd.connect(
              TempestArguments.frontEnd(server, multicastPort)
                  .reads(Reads.of(1))
                  .deadline(READ_DEADLINE)
                  .build()));
    }
  }

  /**
   * Answers {@code run <millis with updates> <millis without>} with an {@link OverloadSample}; then
   * {@code settle} with the milliseconds until all servers had settled the same state, and {@code
   * lost} with the number of acknowledged additions that each server lacks. Arguments: servers,
   * multicast port, how many of the servers, from the first, are victims.
   */
  public static void main(String[] args) throws IOException {
    OverloadClient client = new OverloadClient(args[0], args[1], Integer.parseInt(args[2]));
    ChildMain.serveLines(line -> {
      String[] words = line.split(" ", -1);
      return switch (words[0]) {
        case "run" -> client.run(Long.parseLong(words[1]), Long.parseLong(words[2])).toLine();
        case "settle" -> String.valueOf(client.settle());
        case "lost" -> client.lost();
        default -> throw new IllegalArgumentException("unknown: " + line);
      };
    });
  }

  private OverloadSample run(long updatingMillis, long restMillis) throws InterruptedException {
    long startNanos = System.nanoTime();
    long millis = updatingMillis + restMillis;
    ReadsByTime atVictims = new ReadsByTime(startNanos, millis);
    ReadsByTime atFastest = new ReadsByTime(startNanos, millis);
    long endNanos = startNanos + millis * 1_000_000;
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < THREADS_AT_VICTIMS; i++) {
      FrontEnd victim = each.get(i % victims);
      readers.add(Thread.ofPlatform().start(() -> read(victim, atVictims, endNanos)));
    }
    for (int i = 0; i < THREADS_AT_FASTEST; i++) {
      readers.add(Thread.ofPlatform().start(() -> read(frontEnd, atFastest, endNanos)));
    }
    update(startNanos, startNanos + updatingMillis * 1_000_000);
    for (Thread reader : readers) {
      reader.join();
    }
    int done = IntStream.range(0, ITEMS).map(acknowledged::get).sum();
    return new OverloadSample(
        atVictims.toReads(),
        atFastest.toReads(),
        new OverloadSample.Updates(sent.get(), done, unable.get(), unknown.get()));
  }

  private void update(long startNanos, long endNanos) {
    PaddedCart cart = frontEnd.service(PaddedCart.class);
    long dueNanos = startNanos;
    while (dueNanos - endNanos < 0) {
      waitUntil(dueNanos);
      int item = sent.getAndIncrement() % ITEMS;
      var _ =
          frontEnd
              .<PaddedCart, Integer>async(cart, c -> c.add(CUSTOMER, name(item), 1, padding))
              .thenAccept(outcome -> updated(item, outcome));
      dueNanos += PERIOD_NANOS;
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

  private void read(FrontEnd asked, ReadsByTime counted, long endNanos) {
    PaddedCart cart = asked.service(PaddedCart.class);
    SplittableRandom random = new SplittableRandom();
    long dueNanos = System.nanoTime() + random.nextLong(PERIOD_NANOS);
    while (dueNanos - endNanos < 0) {
      waitUntil(dueNanos);
      int item = random.nextInt(ITEMS);
      int before = acknowledged.get(item);
      counted.ended(asked.outcome(cart, c -> c.check(CUSTOMER, name(item), padding)), before);
      dueNanos = Math.max(dueNanos + PERIOD_NANOS, System.nanoTime());
    }
  }

  private long settle() {
    long startNanos = System.nanoTime();
    while (!hasSettled() && System.nanoTime() - startNanos < SETTLES_WITHIN_NANOS) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    return hasSettled() ? (System.nanoTime() - startNanos) / 1_000_000 : -1;
  }

  private boolean hasSettled() {
    List<ServiceState> states =
        servers.stream().map(server -> admin.state("padded-cart", server)).toList();
    return states.stream()
        .allMatch(state -> state.unsettled() == 0 && state.hasSettledAs(states.getFirst()));
  }

  private String lost() {
    return each.stream().map(this::lostAt).map(String::valueOf).collect(Collectors.joining(" "));
  }

  private int lostAt(FrontEnd server) {
    PaddedCart cart = server.service(PaddedCart.class);
    int[] missing = new int[ITEMS];
    Arrays.setAll(
        missing,
        item -> Math.max(0, acknowledged.get(item) - cart.check(CUSTOMER, name(item), padding)));
    return Arrays.stream(missing).sum();
  }

  private static void waitUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static String name(int item) {
    return "%05d".formatted(item);
  }
}
