package dev.tempest.sessions;

import dev.tempest.Node;
import dev.tempest.Registration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that of all processes that have the sessions one ends each that has expired. What one
 * leaves undone that dies in that moment, a sweep finds.
 */
final class Expiry implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Expiry.class.getName());
  private static final long SWEEP_SECONDS = 60;

  /** Chosen for it is who removes what belongs to no session. */
  private static final UUID ORPHANS = new UUID(0, 0);

  private final Node node;
  private final SessionStore store;
  private final Consumer<UUID> end;
  private final String address;

  /** The processes that have these sessions, and perhaps some that are gone. */
  private final Set<String> hosts;

  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Expiry::daemon);
  private final Registration touches;

  /** Of the sweep before; only sweeps use it. */
  private Set<UUID> orphans = Set.of();

  private final Future<?> sweeps;

  Expiry(Node node, String name, SessionStore store, Consumer<UUID> end) {
    this.node = node;
    this.store = store;
    this.end = end;
    this.address = node.members().getFirst();
    this.hosts = node.set(name + "-hosts", String.class);
    executor.execute(() -> safely(() -> hosts.add(address))); // Which may have to wait.
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

  private void touchChanged(UUID key, @Nullable Long before, @Nullable Long after) {
    if (after == null && isChosen(key)) {
      try {
        executor.execute(() -> safely(() -> end.accept(key)));
      } catch (RejectedExecutionException closed) {
        // The sweep of another process ends it.
      }
    }
  }

  private void sweep() {
    for (UUID key : store.keys()) {
      if (!store.touches().containsKey(key) && isChosen(key)) {
        end.accept(key);
      }
    }
    if (isChosen(ORPHANS)) {
      orphans = store.removeOrphans(orphans);
      hosts.retainAll(node.members());
    }
    hosts.add(address); // Should somebody have taken it for gone.
  }

  /** Where all know the same members, this is so at one of them. */
  private boolean isChosen(UUID key) {
    List<String> members = node.members();
    return members.stream()
        .filter(hosts::contains)
        .max(Comparator.comparingLong(host -> weight(host, key)))
        .filter(address::equals)
        .isPresent();
  }

  private static long weight(String host, UUID key) {
    long mixed = (host.hashCode() * 0x9E3779B97F4A7C15L) ^ key.getLeastSignificantBits();
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 32);
  }

  private static void safely(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException failed) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "Sessions that have expired could not be ended; the next sweep tries again",
          failed);
    }
  }

  @Override
  public void close() {
    touches.close();
    sweeps.cancel(false);
    executor.shutdownNow();
    safely(() -> hosts.remove(address));
  }
}
