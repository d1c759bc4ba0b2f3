package dev.tempest.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Clients in a closed loop over requests that do not block. A client without think time sends its
 * next request in the thread that brought the answer to the last one.
 */
final class ClosedLoop {
  /** Wakes the clients of this process that think. */
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("think").factory());

  private final LoadPlan plan;
  private final IntFunction<CompletableFuture<Boolean>> requests;
  private final ConcurrentHistogram interactionNanos =
      new ConcurrentHistogram(Point.SIGNIFICANT_DIGITS);
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final CountDownLatch underWay;
  private final long measureFromNanos;
  private final long endNanos;

  private ClosedLoop(
      LoadPlan plan, IntFunction<CompletableFuture<Boolean>> requests, long startNanos) {
    this.plan = plan;
    this.requests = requests;
    this.underWay = new CountDownLatch(plan.clients());
    this.measureFromNanos = startNanos + plan.warmUpMillis() * 1_000_000L;
    this.endNanos = measureFromNanos + plan.measuredMillis() * 1_000_000L;
  }

  /**
   * Runs a plan.
   *
   * @param requests sends one request of the client with the given number, from 0; the future says
   *     whether it was answered, and never completes exceptionally
   */
  static Point run(LoadPlan plan, IntFunction<CompletableFuture<Boolean>> requests)
      throws InterruptedException {
    ClosedLoop loop = new ClosedLoop(plan, requests, System.nanoTime());
    for (int client = 0; client < plan.clients(); client++) {
      loop.start(client);
    }
    loop.underWay.await();
    Histogram nanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    nanos.add(loop.interactionNanos);
    long measuredNanos = loop.endNanos - loop.measureFromNanos;
    return plan.result(nanos, measuredNanos, loop.answered.sum(), loop.failed.sum());
  }

  private void start(int client) {
    if (plan.thinkMillis() == 0) {
      send(client);
      return;
    }
    // Spread over one think time, or all clients would go on arriving together.
    long delayMicros = 1_000L * plan.thinkMillis() * client / plan.clients();
    sendAfter(client, delayMicros);
  }

  private void sendAfter(int client, long delayMicros) {
    // Nothing waits for this future: a client that ends counts down the latch.
    var _ = TIMER.schedule(() -> send(client), delayMicros, TimeUnit.MICROSECONDS);
  }

  private void send(int client) {
    long sentNanos = System.nanoTime();
    var _ = requests.apply(client).thenAccept(isAnswered -> ended(client, sentNanos, isAnswered));
  }

  private void ended(int client, long sentNanos, boolean isAnswered) {
    long now = System.nanoTime();
    (isAnswered ? answered : failed).increment();
    if (isAnswered && now - measureFromNanos >= 0 && now - endNanos < 0) {
      interactionNanos.recordValue(now - sentNanos);
    }
    if (now - endNanos >= 0) {
      underWay.countDown();
    } else if (plan.thinkMillis() == 0) {
      send(client);
    } else {
      sendAfter(client, plan.thinkMillis() * 1_000L);
    }
  }
}
