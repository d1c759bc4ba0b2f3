package dev.tempest.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.cache.CacheException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener that does not return, and what comes after it. */
@Timeout(60)
final class TellerTest {
  private static final int WAITING_MAX = 3;

  private final Teller teller = new Teller("carts", WAITING_MAX);
  private final List<Integer> told = new CopyOnWriteArrayList<>();
  private final List<Thread> tellers = new CopyOnWriteArrayList<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch returning = new CountDownLatch(1);
  private int next;

  @BeforeEach
  void fill() throws InterruptedException {
    teller.tell(() -> {
      held.countDown();
      awaitUninterrupted(returning);
    });
    held.await();
    for (int i = 0; i < WAITING_MAX; i++) {
      teller.awaitRoom();
      tellNext();
    }
  }

  @AfterEach
  void end() {
    returning.countDown();
    teller.close();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void tellNext() {
    int event = next++;
    teller.tell(() -> {
      told.add(event);
      tellers.add(Thread.currentThread());
    });
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(thread.getState()).isNotEqualTo(Thread.State.TERMINATED);
      Thread.onSpinWait();
    }
  }

  private void awaitTold(int count) {
    while (told.size() < count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aWriterWaitsForRoomAndTheOrderIsKept() throws Exception {
    CompletableFuture<Void> written = new CompletableFuture<>();
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              teller.awaitRoom();
              tellNext();
              written.complete(null);
            });
    awaitWaiting(writer);
    assertThat(told).isEmpty();
    returning.countDown();
    written.get();
    awaitTold(WAITING_MAX + 1);
    assertThat(told).containsExactly(0, 1, 2, 3);
    assertThat(tellers).doesNotContain(writer, Thread.currentThread());
  }

  @Test
  void whatHasExpiredWaitsForNobody() {
    teller.tellIfThereIsRoom(() -> told.add(-1));
    returning.countDown();
    awaitTold(WAITING_MAX);
    assertThat(told).containsExactly(0, 1, 2);
    teller.tellIfThereIsRoom(() -> told.add(-2));
    awaitTold(WAITING_MAX + 1);
    assertThat(told).endsWith(-2);
  }

  @Test
  void aListenerDoesNotWaitForItself() throws Exception {
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    teller.tell(() -> {
      for (int i = 0; i < WAITING_MAX; i++) {
        tellNext();
      }
      refused.complete(failureOf(teller::awaitRoom));
    });
    returning.countDown();
    assertThat(refused.get())
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("Nothing was written");
  }

  private static Throwable failureOf(Runnable refused) {
    try {
      refused.run();
    } catch (CacheException failed) {
      return failed;
    }
    throw new AssertionError("there was room");
  }

  @Test
  void oneThatThrowsIsNoReasonToTellNothingMore() {
    teller.tell(() -> {
      throw new IllegalStateException("no");
    });
    returning.countDown();
    awaitTold(WAITING_MAX);
    tellNext();
    awaitTold(WAITING_MAX + 1);
    assertThat(told).containsExactly(0, 1, 2, 3);
  }

  @Test
  void onceClosedNobodyWaits() throws Exception {
    CompletableFuture<Void> passed = new CompletableFuture<>();
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              teller.awaitRoom();
              tellNext();
              passed.complete(null);
            });
    awaitWaiting(writer);
    teller.close();
    passed.get();
    assertThatThrownBy(
            () -> {
              Thread.currentThread().interrupt();
              new Teller("full", 0).awaitRoom();
            })
        .hasMessage("Interrupted; nothing was written");
    assertThat(Thread.interrupted()).isTrue();
  }
}
