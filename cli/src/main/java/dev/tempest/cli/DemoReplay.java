package dev.tempest.cli;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.cli.DemoHistory.Told;
import dev.tempest.examples.cart.CartLine;
import dev.tempest.examples.cart.OrderLine;
import dev.tempest.examples.cart.ShoppingCart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Order lines played to the cart service by front-ends, each with the customers that fall to it:
 * every customer's lines in order, each followed by a read of the same item.
 *
 * <p>By time a front-end reads what it has ordered; by consensus another one does, also while the
 * order is under way: what one client was told, all others have to see.
 */
final class DemoReplay implements AutoCloseable {
  static final int FRONT_ENDS = 16;

  private static final int DIGITS = 2;

  /** Somebody who orders and reads. */
  private record Client(FrontEnd frontEnd, ShoppingCart cart) {}

  private final DemoOrder by;
  private final List<OrderLine> orders;
  private final long lengthNanos;
  private final DemoHistory history = new DemoHistory();
  private final List<Client> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch running = new CountDownLatch(FRONT_ENDS);
  private final AtomicLong ordersDone = new AtomicLong();
  private final AtomicLong readsDone = new AtomicLong();
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private final Recorder orderNanos = new Recorder(DIGITS);
  private final Recorder readNanos = new Recorder(DIGITS);
  private volatile boolean stopped;

  /**
   * @param length over how much time the orders are spread
   */
  DemoReplay(DemoOrder by, List<OrderLine> orders, FrontEndConfig config, Duration length) {
    this.by = by;
    this.orders = orders;
    this.lengthNanos = length.toNanos();
    for (int i = 0; i < FRONT_ENDS; i++) {
      FrontEnd frontEnd = FrontEnd.connect(config);
      clients.add(new Client(frontEnd, frontEnd.service(DemoCluster.SERVICE, ShoppingCart.class)));
    }
  }

  /** Starts to play. */
  void start() {
    long startNanos = System.nanoTime();
    for (int i = 0; i < FRONT_ENDS; i++) {
      int lane = i;
      threads.add(
          Thread.ofPlatform().daemon().name("front-end-" + i).start(() -> play(lane, startNanos)));
    }
  }

  /** Waits until all orders are done; false if they are not within {@code millis}. */
  boolean await(long millis) throws InterruptedException {
    return running.await(millis, TimeUnit.MILLISECONDS);
  }

  long ordersDone() {
    return ordersDone.get();
  }

  long readsDone() {
    return readsDone.get();
  }

  /** All that was answered so far. */
  DemoHistory history() {
    return history;
  }

  /** How the first order that went wrong did so; null if none did. */
  @Nullable String failure() {
    return failure.get();
  }

  /** How long orders took, in nanoseconds, since this was asked last. */
  Histogram takeOrderNanos() {
    return orderNanos.getIntervalHistogram();
  }

  /** How long reads took, in nanoseconds, since this was asked last. */
  Histogram takeReadNanos() {
    return readNanos.getIntervalHistogram();
  }

  @Override
  public void close() {
    stopped = true;
    threads.forEach(LockSupport::unpark);
    clients.forEach(client -> client.frontEnd().close());
  }

  private void play(int lane, long startNanos) {
    try {
      for (int i = 0; i < orders.size() && !stopped; i++) {
        OrderLine order = orders.get(i);
        if (Math.floorMod(order.customer().hashCode(), FRONT_ENDS) == lane) {
          // Nanoseconds times lines would overflow within the hour; the double is exact enough.
          sleepUntil(startNanos + (long) ((double) lengthNanos * i / orders.size()));
          play(lane, order);
        }
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, "front-end " + lane + " failed with " + e);
    } finally {
      running.countDown();
    }
  }

  private void play(int lane, OrderLine order) {
    Client client = clients.get(lane);
    Client reader = by == DemoOrder.TIME ? client : clients.get((lane + 1) % FRONT_ENDS);
    AtomicBoolean underWay = new AtomicBoolean(true);
    CompletableFuture<@Nullable Void> meanwhile =
        by == DemoOrder.TIME
            ? CompletableFuture.completedFuture(null)
            : readWhile(underWay, reader, order.cartLine());
    long fromNanos = history.nowNanos();
    ordered(order, fromNanos, order(client, order));
    underWay.set(false);
    meanwhile.join();
    if (!stopped) {
      CartLine line = order.cartLine();
      long askedNanos = history.nowNanos();
      read(line, askedNanos, reader.frontEnd().outcome(reader.cart(), cart -> check(cart, line)));
    }
  }

  /** What is refused since servers have too much to do was not executed, and is repeated. */
  private Outcome<Integer> order(Client client, OrderLine order) {
    while (true) {
      Outcome<Integer> outcome = client.frontEnd().outcome(client.cart(), order::applyTo);
      if (stopped
          || !(outcome instanceof Outcome.Unable<Integer>(Outcome.Reason why, String detail))
          || why != Outcome.Reason.OVERLOADED) {
        return outcome;
      }
    }
  }

  private CompletableFuture<@Nullable Void> readWhile(
      AtomicBoolean underWay, Client reader, CartLine line) {
    long fromNanos = history.nowNanos();
    return reader
        .frontEnd()
        .async(reader.cart(), cart -> check(cart, line))
        .thenCompose(outcome ->
            read(line, fromNanos, outcome) && underWay.get()
                ? readWhile(underWay, reader, line)
                : CompletableFuture.completedFuture(null));
  }

  private static int check(ShoppingCart cart, CartLine line) {
    return cart.check(line.customer(), line.item());
  }

  private void ordered(OrderLine order, long fromNanos, Outcome<Integer> outcome) {
    if (outcome instanceof Outcome.Ok<Integer>(Integer count)) {
      long untilNanos = history.nowNanos();
      history.add(new Told(order.cartLine(), order.quantity(), count, fromNanos, untilNanos));
      orderNanos.recordValue(untilNanos - fromNanos);
      ordersDone.incrementAndGet();
    } else if (!stopped) {
      failure.compareAndSet(null, order + " ended with " + outcome);
    }
  }

  /** Takes the answer of a read; whether it was one. */
  private boolean read(CartLine line, long fromNanos, Outcome<Integer> outcome) {
    if (outcome instanceof Outcome.Ok<Integer>(Integer count)) {
      long untilNanos = history.nowNanos();
      history.add(new Told(line, 0, count, fromNanos, untilNanos));
      readNanos.recordValue(untilNanos - fromNanos);
      readsDone.incrementAndGet();
      return true;
    }
    if (!stopped) {
      failure.compareAndSet(null, "a check of " + line + " ended with " + outcome);
    }
    return false;
  }

  private void sleepUntil(long dueNanos) {
    for (long left = dueNanos - System.nanoTime();
        left > 0 && !stopped;
        left = dueNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
