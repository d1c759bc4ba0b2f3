package dev.tempest.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Clients in a closed loop, each with a thread that waits for the answer and sends the next request
 * at once: how most applications call.
 */
final class BlockedCallers {
  /** Asks once and waits; whether it was answered. */
  @FunctionalInterface
  interface Request {
    /** Any thread may. */
    boolean ask() throws Exception;
  }

  private final Request request;
  private final long measureFromNanos;
  private final long endNanos;
  private final Histogram nanos = new ConcurrentHistogram(Point.SIGNIFICANT_DIGITS);
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();

  private BlockedCallers(LoadPlan plan, Request request, long startNanos) {
    this.request = request;
    this.measureFromNanos = startNanos + plan.warmUpMillis() * 1_000_000L;
    this.endNanos = measureFromNanos + plan.measuredMillis() * 1_000_000L;
  }

  /** Runs a plan without think time. */
  static Point run(LoadPlan plan, Request request) throws InterruptedException, ExecutionException {
    BlockedCallers callers = new BlockedCallers(plan, request, System.nanoTime());
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      for (int client = 0; client < plan.clients(); client++) {
        running.add(threads.submit(callers::call));
      }
    }
    for (Future<?> each : running) {
      each.get(); // It fails as the request did.
    }
    Histogram each = new Histogram(Point.SIGNIFICANT_DIGITS);
    each.add(callers.nanos);
    long measuredNanos = callers.endNanos - callers.measureFromNanos;
    return plan.result(each, measuredNanos, callers.answered.sum(), callers.failed.sum());
  }

  private @Nullable Void call() throws Exception {
    for (long sent = System.nanoTime(); sent - endNanos < 0; ) {
      boolean isAnswered = request.ask();
      long now = System.nanoTime();
      (isAnswered ? answered : failed).increment();
      if (isAnswered && now - measureFromNanos >= 0 && now - endNanos < 0) {
        nanos.recordValue(now - sent);
      }
      sent = now;
    }
    return null;
  }
}
