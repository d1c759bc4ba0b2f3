package dev.tempest.runtime.node;

import dev.tempest.runtime.flight.Flight;

/**
 * Tells the flight recorder that requests are refused, once a second: there may be many.
 *
 * <p>Owned by the event loop.
 */
final class Overload {
  private static final long PAUSE_NANOS = 1_000_000_000;

  private long updates;
  private long reads;
  private long nextNanos;

  /** So many were refused. */
  void shed(int moreUpdates, int moreReads, long nowNanos) {
    updates += moreUpdates;
    reads += moreReads;
    if (nowNanos >= nextNanos) {
      Flight.overload(updates, reads);
      updates = 0;
      reads = 0;
      nextNanos = nowNanos + PAUSE_NANOS;
    }
  }
}
