package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.order.time.ReplicaSettings.Timing;
import java.util.SplittableRandom;

/**
 * When a replica starts its next round of gossip. Whoever has nothing unsettled can wait for others
 * to speak: they have what is missing here.
 */
final class GossipTimer {
  private final Timing timing;
  private final Window window;
  private final ReplicaClock clock;
  private final SplittableRandom random;
  private long nextNanos;

  /** The first round comes at some time within the first interval. */
  GossipTimer(Timing timing, Window window, ReplicaClock clock, SplittableRandom random) {
    this.timing = timing;
    this.window = window;
    this.clock = clock;
    this.random = random;
    begin();
  }

  /** Starts anew: replicas that begin together do not gossip together. */
  void begin() {
    nextNanos = clock.nowNanos() + random.nextLong(nanos(timing.gossipIntervalMillis()));
  }

  /** When a round is due. */
  long nextNanos() {
    return nextNanos;
  }

  /** Whether a round is due; if so, the next one is far away. */
  boolean elapses() {
    boolean isDue = clock.nowNanos() >= nextNanos;
    if (isDue) {
      nextNanos = clock.nowNanos() + nanos(timing.idleGossipMillis());
    }
    return isDue;
  }

  /** Something may have come that has not settled. */
  void look() {
    if (window.size() > 0) {
      nextNanos = Math.min(nextNanos, clock.nowNanos() + nanos(timing.gossipIntervalMillis()));
    }
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    Invariant.check(
        nextNanos <= clock.nowNanos() + nanos(timing.idleGossipMillis()),
        "a replica goes on to gossip");
  }

  private static long nanos(int millis) {
    return millis * ReplicaClock.NANOS_PER_MILLI;
  }
}
