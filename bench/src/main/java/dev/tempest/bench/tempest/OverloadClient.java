package dev.tempest.bench.tempest;

import dev.tempest.FrontEnd;
import dev.tempest.Outcome;
import dev.tempest.Reads;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ServiceState;
import dev.tempest.bench.load.Program;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The client of overloaded servers: one stream of updates, and reads of what it wrote. It knows of
 * each item how many additions were acknowledged.
 *
 * @param victims how many of the servers, from the first
 */
record OverloadClient(TempestAddress address, int victims)
    implements Program<OverloadClient.Run, OverloadClient.Seen> {
  private static final Duration READ_DEADLINE = Duration.ofSeconds(1);
  private static final Duration UPDATE_DEADLINE = Duration.ofSeconds(5);

  /** For so long updates and reads, then for so long only reads. */
  record Run(long updatingMillis, long restMillis) implements Serializable {}

  /**
   * What the client saw.
   *
   * @param victims reads that each asked one of the victims
   * @param fastest reads that asked as applications do
   * @param settledMillis after the last read, until all servers had settled the same state; -1 if
   *     they had not within a minute
   * @param lost how many acknowledged additions each server lacks then
   */
  record Seen(
      ReadBins victims,
      ReadBins fastest,
      int sent,
      int acknowledged,
      int unable,
      int unknown,
      long settledMillis,
      List<Integer> lost)
      implements Serializable {}

  @Override
  public Answers<Run, Seen> start() {
    List<FrontEnd> each =
        address.servers().stream()
            .map(server ->
                FrontEnd.connect(
                    address
                        .only(server)
                        .frontEnd()
                        .reads(Reads.of(1))
                        .deadline(READ_DEADLINE)
                        .build()))
            .toList();
    FrontEnd all = FrontEnd.connect(address.frontEnd().deadline(UPDATE_DEADLINE).build());
    Admin admin = Admin.connect(address.frontEnd().build());
    return run -> new Client(this, all, each, admin).run(run);
  }

  private static final class Client {
    private static final int ITEMS = 128;
    private static final int REQUEST_BYTES = 1_024;
    private static final long PERIOD_NANOS = 20_000_000;

    /** Reads of the victims, as in the paper. */
    private static final int THREADS_AT_VICTIMS = 8;

    /** Reads as applications do them, for comparison. */
    private static final int THREADS_AT_FASTEST = 2;

    private static final long SETTLES_WITHIN_MILLIS = 60_000;
    private static final long LOOK_AGAIN_NANOS = 100_000_000;

    private final OverloadClient program;
    private final FrontEnd frontEnd;
    private final List<FrontEnd> each;
    private final Admin admin;
    private final byte[] padding = new byte[REQUEST_BYTES];
    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(ITEMS);
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger unable = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();

    Client(OverloadClient program, FrontEnd frontEnd, List<FrontEnd> each, Admin admin) {
      this.program = program;
      this.frontEnd = frontEnd;
      this.each = each;
      this.admin = admin;
    }

    Seen run(Run run) throws InterruptedException {
      long startNanos = System.nanoTime();
      long millis = run.updatingMillis + run.restMillis;
      ReadBins atVictims = new ReadBins(startNanos, millis);
      ReadBins atFastest = new ReadBins(startNanos, millis);
      long endNanos = startNanos + millis * 1_000_000;
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < THREADS_AT_VICTIMS; i++) {
        FrontEnd victim = each.get(i % program.victims);
        readers.add(Thread.ofPlatform().start(() -> read(victim, atVictims, endNanos)));
      }
      for (int i = 0; i < THREADS_AT_FASTEST; i++) {
        readers.add(Thread.ofPlatform().start(() -> read(frontEnd, atFastest, endNanos)));
      }
      update(startNanos, startNanos + run.updatingMillis * 1_000_000);
      for (Thread reader : readers) {
        reader.join();
      }
      int done = IntStream.range(0, ITEMS).map(acknowledged::get).sum();
      long settledMillis = settle();
      List<Integer> lost = each.stream().map(this::lostAt).toList();
      return new Seen(
          atVictims, atFastest, sent.get(), done, unable.get(), unknown.get(), settledMillis, lost);
    }

    private void update(long startNanos, long endNanos) {
      PaddedCart cart = frontEnd.service(PaddedCart.class);
      long dueNanos = startNanos;
      while (dueNanos - endNanos < 0) {
        waitUntil(dueNanos);
        int item = sent.getAndIncrement() % ITEMS;
        var _ =
            frontEnd
                .<PaddedCart, Integer>async(
                    cart, c -> c.add(CartClient.CUSTOMER, CartClient.item(item), 1, padding))
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

    private void read(FrontEnd asked, ReadBins counted, long endNanos) {
      PaddedCart cart = asked.service(PaddedCart.class);
      SplittableRandom random = new SplittableRandom();
      long dueNanos = System.nanoTime() + random.nextLong(PERIOD_NANOS);
      while (dueNanos - endNanos < 0) {
        waitUntil(dueNanos);
        int item = random.nextInt(ITEMS);
        int before = acknowledged.get(item);
        Outcome<Integer> outcome =
            asked.outcome(cart, c -> c.check(CartClient.CUSTOMER, CartClient.item(item), padding));
        counted.ended(outcome instanceof Outcome.Ok<Integer>(Integer shown) ? shown : null, before);
        dueNanos = Math.max(dueNanos + PERIOD_NANOS, System.nanoTime());
      }
    }

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
          program.address.servers().stream()
              .map(server -> admin.state(TempestServer.CART, server))
              .toList();
      return states.stream()
          .allMatch(state -> state.unsettled() == 0 && state.hasSettledAs(states.getFirst()));
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

    private static void waitUntil(long nanos) {
      for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }
}
