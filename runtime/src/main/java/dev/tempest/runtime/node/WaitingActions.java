package dev.tempest.runtime.node;

import dev.tempest.OverloadedException;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.Event;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Actions and reads whose threads wait until it is known whether they count. Thread-safe. */
final class WaitingActions {
  private static final String CLOSED =
      "the node was closed meanwhile, or its linearizable collections have stopped";

  /** One of them. */
  record Wait(long ticket, CompletableFuture<Effect.Decided> decided) {}

  private final LongSupplier nowNanos;
  private final Consumer<Event> replica;
  private final AtomicLong lastTicket = new AtomicLong();
  private final Map<Long, Wait> waits = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Nobody waits yet.
   *
   * @param nowNanos the time
   * @param replica is told that a wait ends, and then says at once what is known
   */
  WaitingActions(LongSupplier nowNanos, Consumer<Event> replica) {
    this.nowNanos = nowNanos;
    this.replica = replica;
  }

  /** A thread is about to wait. */
  Wait begin() {
    Wait wait = new Wait(lastTicket.incrementAndGet(), new CompletableFuture<>());
    waits.put(wait.ticket(), wait);
    if (closed) {
      end(wait);
    }
    return wait;
  }

  /** Its thread does not wait. */
  void forget(Wait wait) {
    waits.remove(wait.ticket());
  }

  /** It is known what became of one; nothing if nobody waits for it. */
  void decided(Effect.Decided decided) {
    Wait wait = waits.remove(decided.ticket());
    if (wait != null) {
      wait.decided().complete(decided);
    }
  }

  /**
   * Waits, for so long at most, whether the thread is interrupted or not; then for what is known.
   */
  Effect.Decided await(Wait wait, long longestNanos) {
    long untilNanos = nowNanos.getAsLong() + longestNanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.decided().get(untilNanos - nowNanos.getAsLong(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    } catch (TimeoutException late) {
      return ended(wait);
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    } finally {
      waits.remove(wait.ticket());
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Effect.Decided ended(Wait wait) {
    try {
      replica.accept(new Event.EndWait(nowNanos.getAsLong(), wait.ticket()));
    } catch (OverloadedException inUse) {
      forget(wait); // It cannot say what is known.
    }
    return wait.decided().getNow(new Effect.Decided(wait.ticket(), Decision.UNKNOWN, ""));
  }

  /** Nothing more will be heard. */
  void close() {
    closed = true;
    waits.values().forEach(WaitingActions::end);
  }

  private static void end(Wait wait) {
    wait.decided().complete(new Effect.Decided(wait.ticket(), Decision.UNKNOWN, CLOSED));
  }
}
