package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  @Test
  void aClientHasOneRequestUnderWayAtATime() throws InterruptedException {
    AtomicInteger[] underWay = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
    AtomicInteger overlaps = new AtomicInteger();
    AtomicInteger requests = new AtomicInteger();
    Point point =
        ClosedLoop.run(
            new LoadPlan(3, 0, 1_000),
            client -> {
              requests.incrementAndGet();
              if (underWay[client].incrementAndGet() > 1) {
                overlaps.incrementAndGet();
              }
              return later(true, underWay[client]);
            });
    assertThat(overlaps).hasValue(0);
    assertThat(point.nanos().getTotalCount()).isPositive().isLessThan(requests.get());
    assertThat(point.number("failed")).isZero();
  }

  @Test
  void unansweredRequestsAreCountedApart() throws InterruptedException {
    Point point =
        ClosedLoop.run(new LoadPlan(2, 1, 20), client -> later(false, new AtomicInteger()));
    assertThat(point.number("failed")).isPositive();
    assertThat(point.nanos().getTotalCount()).isZero();
  }

  private CompletableFuture<Boolean> later(boolean answered, AtomicInteger underWay) {
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    var _ =
        threads.schedule(
            () -> {
              underWay.decrementAndGet();
              future.complete(answered);
            },
            100,
            TimeUnit.MICROSECONDS);
    return future;
  }
}
