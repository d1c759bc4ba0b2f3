package dev.tempest.runtime.node;

import dev.tempest.runtime.LogLines;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * How long a process that is to end waits until other members have what was executed in it.
 *
 * <p>Owned by the event loop.
 */
final class HandOver {
  private static final System.Logger LOGGER = LogLines.logger(HandOver.class);

  /**
   * Closing an epoch takes a second, agreeing on it some rounds of gossip, of which some get lost.
   */
  private static final long PATIENCE_NANOS = 4_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private long untilNanos;
  private boolean begun;

  /** From now on it waits. */
  void begin(long nowNanos) {
    begun = true;
    untilNanos = nowNanos + PATIENCE_NANOS;
  }

  /** Whether it waits. */
  boolean hasBegun() {
    return begun;
  }

  /**
   * Whether it need not wait, or not any longer; then it waits no more.
   *
   * @param kept of what no other member is known to have everything
   */
  boolean isOver(List<String> kept, long nowNanos) {
    boolean late = nowNanos >= untilNanos;
    if (late && !kept.isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "No other member confirmed within {0} ms that it has everything executed here of {1}:"
              + " what only this process has is lost",
          PATIENCE_NANOS / NANOS_PER_MILLI,
          kept);
    }
    begun = !late && !kept.isEmpty();
    return !begun;
  }
}
