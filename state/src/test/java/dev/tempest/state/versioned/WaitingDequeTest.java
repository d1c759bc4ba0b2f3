package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.state.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for elements, and for room. */
@Timeout(60)
class WaitingDequeTest {
  private final ThreadHome home = new ThreadHome();
  private final BlockingDeque<Integer> deque = home.state.deque("deque", 4, Integer.class);
  private final Counter other = home.state.counter("other");
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** A home of many threads. */
  private static final class ThreadHome implements Home {
    private final VersionedState state = new VersionedState(this, name -> Terms.DEFAULT);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition published = lock.newCondition();
    private volatile Version version = state.emptyVersion();
    private @Nullable VersionedAction action;
    private long seed;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private Runnable betweenReads = () -> {};

    @Override
    public Version published() {
      reads.incrementAndGet();
      betweenReads.run();
      return version;
    }

    @Override
    public long nowNanos() {
      return System.nanoTime();
    }

    @Override
    public long nowMillis() {
      return 0;
    }

    @Override
    public @Nullable VersionedAction action() {
      return lock.isHeldByCurrentThread() ? action : null;
    }

    @Override
    public <T extends @Nullable Object> T write(Function<VersionedAction, T> writes) {
      enter();
      try {
        return writes.apply(Objects.requireNonNull(action));
      } finally {
        leave();
      }
    }

    private void enter() {
      lock.lock();
      if (lock.getHoldCount() == 1) {
        action = state.begin(version, 0, seed++);
      }
    }

    private void leave() {
      VersionedAction ended = action;
      if (lock.getHoldCount() == 1 && ended != null) {
        version = ended.commit();
        published.signalAll();
      }
      lock.unlock();
    }

    @Override
    public void requireUninterrupted() throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }

    @Override
    public long awaitShown(Predicate<Version> holds, long timeoutNanos)
        throws InterruptedException {
      long leftNanos = timeoutNanos;
      lock.lockInterruptibly();
      try {
        waiting.incrementAndGet();
        while (!holds.test(version) && leftNanos > 0) {
          leftNanos = published.awaitNanos(leftNanos);
        }
        return leftNanos;
      } finally {
        waiting.decrementAndGet();
        lock.unlock();
      }
    }

    /** Returns once that many threads wait. */
    private void awaitWaiting(int count) {
      while (waiting.get() < count) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void whoTakesWaitsForAnElement() throws Exception {
    Future<Integer> taken = waiting(deque::take);
    other.increment(); // A version without one.
    home.awaitWaiting(1);
    assertThat(taken).isNotDone();
    deque.put(7);
    assertThat(taken.get()).isEqualTo(7);

    Future<Integer> last = waiting(() -> deque.pollLast(1, TimeUnit.DAYS));
    deque.addAll(List.of(1, 2));
    assertThat(last.get()).isEqualTo(2);
    assertThat(deque).containsExactly(1);
  }

  @Test
  void whoPutsWaitsForRoom() throws Exception {
    deque.addAll(List.of(1, 2, 3, 4));
    Future<Boolean> put = waiting(() -> deque.offerFirst(0, 1, TimeUnit.DAYS));
    assertThat(deque.takeFirst()).isEqualTo(1);
    assertThat(put.get()).isTrue();
    assertThat(deque).containsExactly(0, 2, 3, 4);

    Future<Boolean> last =
        waiting(() -> {
          deque.putLast(5);
          return true;
        });
    deque.removeLast();
    assertThat(last.get()).isTrue();
    assertThat(deque).containsExactly(0, 2, 3, 5);
  }

  @Test
  void givesUpWhenItsTimeIsOver() throws Exception {
    assertThat(deque.poll(1, TimeUnit.MILLISECONDS)).isNull();
    assertThat(deque.pollLast(-1, TimeUnit.DAYS)).isNull();
    deque.addAll(List.of(1, 2, 3, 4));
    assertThat(deque.offer(5, 1, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(deque.offerFirst(5, 0, TimeUnit.DAYS)).isFalse();
    assertThat(deque).hasSize(4);
  }

  /** However often the deque changes while it looks. */
  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void givesUpAlsoWhereLookingTakesAllItsTime() throws Exception {
    home.betweenReads =
        () -> {
          deque.addFirst(1);
          deque.removeFirst();
        };
    assertThat(deque.poll(1, TimeUnit.MILLISECONDS)).isNull();
    deque.addAll(List.of(1, 2, 3, 4));
    home.betweenReads =
        () -> {
          deque.removeLast();
          deque.addLast(4);
        };
    assertThat(deque.offer(5, 1, TimeUnit.MILLISECONDS)).isFalse();
  }

  /** A read may cost a round trip to other nodes. */
  @Test
  void whoWaitsReadsOnlyWhatHasChanged() throws Exception {
    Future<Integer> taken = waiting(deque::take);
    int before = home.reads.get();
    for (int i = 0; i < 100; i++) {
      other.increment();
    }
    deque.add(7);
    assertThat(taken.get()).isEqualTo(7);
    assertThat(home.reads.get() - before).isEqualTo(1);
  }

  @Test
  void stopsWaitingWhenItIsInterrupted() {
    Future<Integer> taken = waiting(deque::take);
    threads.shutdownNow();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(taken::get)
        .withCauseInstanceOf(InterruptedException.class);
  }

  /** As java.util.concurrent has it: also where there is nothing to wait for. */
  @Test
  void whatMayWaitThrowsIfItIsInterruptedAlready() {
    List<ThrowingCallable> calls =
        List.of(
            () -> deque.poll(0, TimeUnit.SECONDS),
            () -> deque.pollFirst(1, TimeUnit.DAYS),
            () -> deque.pollLast(-1, TimeUnit.DAYS),
            () -> deque.offer(5, 0, TimeUnit.SECONDS),
            () -> deque.offerFirst(5, 1, TimeUnit.DAYS),
            () -> deque.offerLast(5, -1, TimeUnit.DAYS),
            () -> deque.put(5),
            () -> deque.putFirst(5),
            deque::take,
            deque::takeLast,
            ((BlockingDeque<Integer>) deque.reversed())::takeFirst);
    deque.addAll(List.of(1, 2));
    for (ThrowingCallable call : calls) {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedException.class).isThrownBy(call);
      assertThat(Thread.interrupted()).isFalse();
    }
    assertThat(deque).containsExactly(1, 2);
    deque.clear();
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> deque.poll(0, TimeUnit.SECONDS));
    Thread.currentThread().interrupt();
    assertThat(deque.poll()).isNull();
    assertThat(deque.offer(1)).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void everyElementGetsToOneOfManyThreads() throws Exception {
    List<Future<List<Integer>>> takers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      takers.add(threads.submit(() -> takeUntilNegative(deque)));
    }
    for (int i = 0; i < 2_000; i++) {
      deque.put(i);
    }
    for (int i = 0; i < 4; i++) {
      deque.put(-1);
    }
    List<Integer> taken = new ArrayList<>();
    for (Future<List<Integer>> taker : takers) {
      assertThat(taker.get()).isSorted();
      taken.addAll(taker.get());
    }
    assertThat(taken).hasSize(2_000).doesNotHaveDuplicates();
  }

  private static List<Integer> takeUntilNegative(BlockingDeque<Integer> deque)
      throws InterruptedException {
    List<Integer> taken = new ArrayList<>();
    for (int next = deque.take(); next >= 0; next = deque.take()) {
      taken.add(next);
    }
    return taken;
  }

  /** A call under way that waits. */
  private <T> Future<T> waiting(Callable<T> call) {
    Future<T> future = threads.submit(call);
    home.awaitWaiting(1);
    return future;
  }
}
