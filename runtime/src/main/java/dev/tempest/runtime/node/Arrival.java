package dev.tempest.runtime.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How the state comes that a replica, or a whole process, waits for, and what hinders that. However
 * large it is: whoever waits gives up only once nothing of it has come for a while.
 *
 * <p>Thread-safe.
 */
final class Arrival {
  private final CompletableFuture<Boolean> active = new CompletableFuture<>();
  private final LongSupplier nanoClock;
  private final @Nullable Arrival whole;
  private volatile long cameNanos;
  private volatile @Nullable String hindrance;
  private volatile @Nullable Stop stop;

  /** Why the state never comes. */
  record Stop(String why, @Nullable Throwable cause) {}

  /** Of a whole process. */
  Arrival(LongSupplier nanoClock) {
    this(nanoClock, null);
  }

  private Arrival(LongSupplier nanoClock, @Nullable Arrival whole) {
    this.nanoClock = nanoClock;
    this.whole = whole;
    this.cameNanos = nanoClock.getAsLong();
  }

  /** Of a part: what comes there, or hinders that, counts for the whole. */
  Arrival part() {
    Arrival part = new Arrival(nanoClock, this);
    var unused =
        active.whenComplete((here, refused) -> {
          if (refused != null) { // A process that cannot be a member has no parts.
            part.active.completeExceptionally(refused);
          }
        });
    return part;
  }

  /** True once the state is here; false if it never will be. */
  CompletableFuture<Boolean> active() {
    return active;
  }

  /** More of the state has come. */
  void cameOn() {
    cameNanos = nanoClock.getAsLong();
    hindrance = null;
    if (whole != null) {
      whole.cameOn();
    }
  }

  /** This is why the state does not come. */
  void hindered(String why) {
    hindrance = why;
    if (whole != null) {
      whole.hindered(why);
    }
  }

  /** Why the state does not come, as far as that is known; null if it is not. */
  @Nullable String hindrance() {
    return hindrance;
  }

  /** The state never comes, for this reason. Whoever waits for the whole is told the first. */
  void stopped(Stop why) {
    if (stop == null) {
      stop = why;
    }
    if (whole != null) {
      whole.stopped(why);
    }
    active.complete(false);
  }

  /** Why the state never comes; null if it may, or if it does not because the process ended. */
  @Nullable Stop stop() {
    return stop;
  }

  /**
   * Waits until the state is here, or never will be.
   *
   * @return whether it is
   * @throws TimeoutException if nothing of it has come for so long
   * @throws ExecutionException if this process cannot be a member
   */
  boolean await(Duration patience)
      throws InterruptedException, ExecutionException, TimeoutException {
    long beganNanos = nanoClock.getAsLong();
    while (true) {
      long nowNanos = nanoClock.getAsLong();
      long quietNanos = Math.min(nowNanos - beganNanos, nowNanos - cameNanos);
      long leftNanos = TimeUnit.NANOSECONDS.convert(patience) - quietNanos;
      try {
        return active.get(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
      } catch (TimeoutException late) {
        if (leftNanos <= 0) {
          throw late;
        }
      }
    }
  }
}
