package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InTurnTest {
  @Test
  void runsWhatItIsGivenInOrderAndWaitsForNobodyElse() throws Exception {
    List<Integer> ran = new ArrayList<>(); // Not thread-safe.
    CountDownLatch hangs = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      InTurn hanging = new InTurn(threads);
      hanging.execute(() -> await(hangs));
      hanging.execute(hangs::countDown);
      InTurn own = new InTurn(threads);
      CountDownLatch done = new CountDownLatch(1);
      for (int task = 0; task < 10_000; task++) {
        int number = task;
        own.execute(() -> ran.add(number));
      }
      own.execute(done::countDown);
      assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(ran).hasSize(10_000).isSorted();
      assertThat(hangs.getCount()).as("the first one has not come to the second").isEqualTo(1);
      hangs.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
