package dev.tempest.cli;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.examples.cart.OrderLine;
import dev.tempest.examples.cart.ShoppingCart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Order lines played to the cart service by front-ends, each with the customers that fall to it:
 * every customer's lines in order, each followed by a read of the same item.
 */
final class DemoReplay implements AutoCloseable {
  static final int FRONT_ENDS = 16;

  private static final int DIGITS = 2;

  private final List<OrderLine> orders;
  private final long lengthNanos;
  private final List<FrontEnd> frontEnds = new ArrayList<>();
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
  DemoReplay(List<OrderLine> orders, FrontEndConfig config, Duration length) {
    this.orders = orders;
    this.lengthNanos = length.toNanos();
    for (int i = 0; i < FRONT_ENDS; i++) {
      frontEnds.add(FrontEnd.connect(config));
    }
  }

  /** Starts to play. */
  void start() {
    long startNanos = System.nanoTime();
    for (int i = 0; i < FRONT_ENDS; i++) {
      int lane = i;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("front-end-" + i)
              .start(() -> play(lane, frontEnds.get(lane), startNanos)));
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
    frontEnds.forEach(FrontEnd::close);
  }

  private void play(int lane, FrontEnd frontEnd, long startNanos) {
    try {
      ShoppingCart cart = frontEnd.service(DemoCluster.SERVICE, ShoppingCart.class);
      for (int i = 0; i < orders.size() && !stopped; i++) {
        OrderLine order = orders.get(i);
        if (Math.floorMod(order.customer().hashCode(), FRONT_ENDS) == lane) {
          // Nanoseconds times lines would overflow within the hour; the double is exact enough.
          sleepUntil(startNanos + (long) ((double) lengthNanos * i / orders.size()));
          play(frontEnd, cart, order);
        }
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, "front-end " + lane + " failed with " + e);
    } finally {
      running.countDown();
    }
  }

  private void play(FrontEnd frontEnd, ShoppingCart cart, OrderLine order) {
    long beforeNanos = System.nanoTime();
    Outcome<Integer> update = frontEnd.outcome(cart, order::applyTo);
    long betweenNanos = System.nanoTime();
    if (stopped) {
      return;
    }
    if (!(update instanceof Outcome.Ok)) {
      failure.compareAndSet(null, order + " ended with " + update);
    }
    orderNanos.recordValue(betweenNanos - beforeNanos);
    ordersDone.incrementAndGet();
    Outcome<Integer> read =
        frontEnd.outcome(cart, client -> client.check(order.customer(), order.item()));
    if (read instanceof Outcome.Ok) {
      readNanos.recordValue(System.nanoTime() - betweenNanos);
      readsDone.incrementAndGet();
    } else if (!stopped) {
      failure.compareAndSet(null, "a check of " + order.cartLine() + " ended with " + read);
    }
  }

  private void sleepUntil(long dueNanos) {
    for (long left = dueNanos - System.nanoTime();
        left > 0 && !stopped;
        left = dueNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
