package dev.tempest.sessions;

import dev.tempest.Node;
import dev.tempest.Registration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that of all processes that have the sessions one ends each that has expired. What one
 * leaves undone that dies in that moment, a sweep finds.
 */
final class Expiry implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Expiry.class.getName());
  private static final long SWEEP_SECONDS = 60;
  private static final long CLOSING_SECONDS = 1;

  /** More than may end at once before the sweep, which finds the others. */
  private static final int GONE_MAX = 10_000;

  /** Chosen for it is who removes what belongs to no session. */
  private static final UUID ORPHANS = new UUID(0, 0);

  /**
   * A session that has expired.
   *
   * @param touchedMillis when its latest request was, as far as this process knows
   */
  record Gone(UUID key, Optional<Long> touchedMillis) {}

  private final SessionStore store;
  private final Consumer<Gone> end;
  private final Hosts hosts;

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Expiry::daemon);
  private final BlockingQueue<Gone> gone = new LinkedBlockingQueue<>(GONE_MAX);
  private final AtomicBoolean drains = new AtomicBoolean();
  private final Registration touches;

  /** Of the sweep before; only sweeps use it. */
  private Set<Object> orphans = Set.of();

  private final Future<?> sweeps;

  Expiry(Node node, String name, SessionStore store, Consumer<Gone> end) {
    this.store = store;
    this.end = end;
    this.hosts = Hosts.of(node, name);
    executor.execute(() -> safely(hosts::enter));
    touches = node.listen(store.touches(), this::touchChanged);
    sweeps =
        executor.scheduleWithFixedDelay(
            () -> safely(this::sweep), SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "tempest-sessions");
    thread.setDaemon(true);
    return thread;
  }

  /** The thread of listeners waits for nothing: all else happens in that of the executor. */
  private void touchChanged(UUID key, @Nullable Long before, @Nullable Long after) {
    if (after != null
        || !gone.offer(new Gone(key, Optional.ofNullable(before)))
        || !drains.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(() -> safely(this::drain));
    } catch (RejectedExecutionException closed) {
      // The sweep of another process ends it.
    }
  }

  private void drain() {
    drains.set(false); // First: whoever comes now finds that nobody looks after it.
    List<Gone> drained = new ArrayList<>();
    gone.drainTo(drained);
    endChosen(drained, hosts.choice());
  }

  private void endChosen(Collection<Gone> expired, Predicate<UUID> isChosen) {
    for (Gone each : expired) {
      if (isChosen.test(each.key)) {
        safely(() -> end.accept(each)); // Each: one that fails is no reason to leave the others.
      }
    }
  }

  private void sweep() {
    hosts.enter(); // Should somebody have taken it for gone.
    Predicate<UUID> isChosen = hosts.choice();
    List<Gone> untouched =
        store.untouched().stream().map(key -> new Gone(key, Optional.empty())).toList();
    endChosen(untouched, isChosen);
    if (isChosen.test(ORPHANS)) {
      orphans = store.removeOrphans(orphans);
      hosts.removeThoseGone();
    }
  }

  private static void safely(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failed) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "Sessions that have expired could not be ended; the next sweep tries again",
          failed);
    }
  }

  /** Waits a moment for what is under way: it may say that this process has the sessions. */
  @Override
  public synchronized void close() {
    if (executor.isShutdown()) {
      return;
    }
    touches.close();
    sweeps.cancel(false);
    executor.shutdownNow();
    try {
      executor.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    safely(hosts::leave);
  }
}
