package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tempest.service.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that writes in bursts, and another one that does not keep up. */
@Timeout(60)
final class MaxAheadTest {
  /** The configured bound. */
  private static final int MAX_AHEAD = 100;

  /** Writers go on while others lack no more than the bound; the write that they make is on top. */
  private static final int LACKING_MAX = MAX_AHEAD + 1;

  /**
   * A node says that it has something before it shows it, at the end of a turn, and meanwhile
   * writers go on: so that are about twice as many, and far fewer than a burst.
   */
  private static final int NOT_SHOWN_MAX = 3 * MAX_AHEAD;

  private static final int BURST = 20 * MAX_AHEAD;

  /** Well within the second after which nobody waits for who says nothing new. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  private static final Duration DEADLINE = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofSeconds(30);

  /** A service that keeps the loop of its node from all else. */
  public interface Busy {
    /** Until the test lets it go. */
    @Update
    void hang();

    /** Longer than a burst takes that nobody slows down. */
    @Update
    void work();
  }

  private final class BusyService implements Busy {
    @Override
    public void hang() {
      hanging.countDown();
      try {
        released.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void work() {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicBoolean working = new AtomicBoolean(true);
  private final Node writer =
      nodes.join(nodes.config().toBuilder().maxAhead(MAX_AHEAD).deadline(DEADLINE).build());
  private final Node other = nodes.join();
  private final Map<String, Integer> map = writer.map("m");
  private final Busy busy = busy();

  /** What the writer had seen after each write of its burst. */
  private final List<Handle> handles = new ArrayList<>();

  /** So many of them the other node has, and when it was seen to have had more than before. */
  private int others;

  private long othersNanos = System.nanoTime();
  private long longestSilenceNanos;

  private Busy busy() {
    other.host("busy", Busy.class, state -> new BusyService());
    return other.frontEnd().service(Busy.class);
  }

  /** Or nobody would wait for it. */
  @BeforeEach
  void theOtherKeepsUp() throws InterruptedException {
    for (int i = 0; i < 2 * MAX_AHEAD; i++) {
      map.put("before", i);
      assertThat(other.awaitSeen(writer.handle(), LONG)).isTrue();
    }
    eventually("the writer knows that the other keeps up", this::isConfirmed);
  }

  private boolean isConfirmed() {
    try {
      writer.batch(2, () -> map.put("before", -1));
      return true;
    } catch (MissingAcksException late) {
      return false;
    }
  }

  @AfterEach
  void release() {
    released.countDown();
    working.set(false);
  }

  @Test
  void aNodeThatCannotAnswerLacksNoMoreThanItMay() throws InterruptedException {
    CompletableFuture<Void> hung = CompletableFuture.runAsync(busy::hang);
    hanging.await();
    othersNanos = System.nanoTime();
    while (handles.size() < BURST && write()) {
      // Until it has to wait.
    }
    assumeNobodyWasSilent();
    assumeNobodyWasSilent();
    assertThat(handles.size()).isBetween(MAX_AHEAD / 2, LACKING_MAX);

    released.countDown();
    hung.join();
    eventually("the writer goes on", this::write);
    assertThat(other.awaitSeen(writer.handle(), LONG)).isTrue();
  }

  @Test
  void aSlowNodeLacksNoMoreThanItMayWhileTheWriterGoesOn() throws InterruptedException {
    CompletableFuture<Void> slow =
        CompletableFuture.runAsync(() -> {
          while (working.get()) {
            busy.work();
          }
        });
    othersNanos = System.nanoTime();
    while (handles.size() < BURST) {
      if (write() && handles.size() > others + NOT_SHOWN_MAX) {
        assumeNobodyWasSilent();
        fail("the other node shows %s of %s writes", others, handles.size());
      }
    }
    working.set(false);
    slow.join();
    assertThat(other.awaitSeen(writer.handle(), LONG)).isTrue();
  }

  /** Whether there was room for it. */
  private boolean write() throws InterruptedException {
    try {
      map.put("m", handles.size());
      handles.add(writer.handle());
      return true;
    } catch (OverloadedException waitedInVain) {
      return false;
    } finally {
      look();
    }
  }

  private void look() throws InterruptedException {
    int before = others;
    while (others < handles.size() && other.awaitSeen(handles.get(others), Duration.ZERO)) {
      others++;
    }
    long nowNanos = System.nanoTime();
    longestSilenceNanos = Math.max(longestSilenceNanos, nowNanos - othersNanos);
    if (others > before || others == handles.size()) {
      othersNanos = nowNanos;
    }
  }

  /** On a machine that has no time for it, the other node says nothing new for long. */
  private void assumeNobodyWasSilent() {
    assumeTrue(
        longestSilenceNanos < PATIENCE_NANOS, "the other node got no time from this machine");
  }
}
