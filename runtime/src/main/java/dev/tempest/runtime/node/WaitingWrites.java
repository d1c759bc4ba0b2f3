package dev.tempest.runtime.node;

import dev.tempest.MissingAcksException;
import dev.tempest.OverloadedException;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.runtime.Stopwatch;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.state.versioned.Change;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Writes whose threads wait until other nodes have them. Thread-safe. */
final class WaitingWrites {
  /**
   * One of them.
   *
   * @param acks how many nodes are to have it
   * @param known how many have it: as many, or 0 if it was given up; {@link #UNHEARD} if that will
   *     not be heard of any more
   */
  record Wait(long ticket, int acks, CompletableFuture<Integer> known) {}

  private static final int UNHEARD = -1;

  private final NodeConfig config;
  private final MonotonicClock clock;
  private final Function<Event, List<Effect>> replica;

  /** Whether any collection waits without being asked to. */
  private final boolean usual;

  private final Map<String, Integer> byName = new ConcurrentHashMap<>();
  private final AtomicLong lastTicket = new AtomicLong();
  private final Map<Long, Wait> waits = new ConcurrentHashMap<>();
  private final Stopwatch waited = new Stopwatch();
  private volatile boolean closed;

  /**
   * Nobody waits yet.
   *
   * @param replica is told that a wait ends
   */
  WaitingWrites(NodeConfig config, MonotonicClock clock, Function<Event, List<Effect>> replica) {
    this.config = config;
    this.clock = clock;
    this.replica = replica;
    this.usual =
        config.waits().acks() > 1
            || config.collections().stream().anyMatch(rule -> rule.config().acks() > 1);
  }

  /** How many nodes are to have a change before its writer goes on, if that does not say. */
  int acks(Change change) {
    int most = 1;
    if (usual) {
      for (String name : change.names()) {
        int acks = byName.computeIfAbsent(name, unknown -> config.collection(unknown).acks());
        most = Math.max(most, acks);
      }
    }
    return most;
  }

  /** How long threads waited. */
  Stopwatch waited() {
    return waited;
  }

  /** A thread is about to wait. */
  Wait begin(int acks) {
    Wait wait = new Wait(lastTicket.incrementAndGet(), acks, new CompletableFuture<>());
    waits.put(wait.ticket(), wait);
    if (closed) {
      wait.known().complete(UNHEARD);
    }
    return wait;
  }

  /** As many nodes have a write as its thread waits for, or it was given up. */
  void acked(Effect.Acked acked) {
    Wait wait = waits.get(acked.ticket());
    if (wait != null) {
      wait.known().complete(acked.acks());
    }
  }

  /**
   * Waits.
   *
   * @throws MissingAcksException if fewer nodes than are to have it are known to
   */
  void await(Wait wait) {
    long beganNanos = System.nanoTime();
    String ended = awaitKnown(wait);
    waited.took(System.nanoTime() - beganNanos);
    int known = ended.isEmpty() ? wait.known().join() : end(wait);
    if (known < wait.acks()) {
      throw new MissingAcksException(known, wait.acks(), ended);
    }
  }

  /** How many nodes are known to have the write by now. */
  private int end(Wait wait) {
    try {
      for (Effect effect : replica.apply(new Event.EndWait(clock.nowNanos(), wait.ticket()))) {
        if (effect instanceof Effect.Acked acked) {
          return acked.acks();
        }
      }
    } catch (OverloadedException inUse) {
      return 1; // More is not known, because the replica cannot say: this node has it.
    }
    return wait.acks(); // Meanwhile as many have it as it waited for.
  }

  /** Nothing once it is known how many have it, else when the wait has ended. */
  private String awaitKnown(Wait wait) {
    Duration deadline = config.waits().deadline();
    try {
      return wait.known().get(deadline.toNanos(), TimeUnit.NANOSECONDS) == UNHEARD
          ? "When this node was closed"
          : "";
    } catch (TimeoutException late) {
      return "After " + deadline.toMillis() + " ms";
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "When the thread was interrupted";
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    } finally {
      waits.remove(wait.ticket());
    }
  }

  /** Nothing more will be heard. */
  void close() {
    closed = true;
    waits.values().forEach(wait -> wait.known().complete(UNHEARD));
  }
}
