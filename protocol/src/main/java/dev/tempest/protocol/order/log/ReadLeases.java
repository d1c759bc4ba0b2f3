package dev.tempest.protocol.order.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Which followers may read alone, and until when: nothing is committed meanwhile that one of them
 * has not accepted. They were given by this replica while it led, and run on when it leads no more;
 * so it keeps its part of the promise that nobody else leads. Not thread-safe.
 */
final class ReadLeases {
  private final Map<Long, Long> untilNanos = new LinkedHashMap<>();

  void give(long replica, long endNanos, long nowNanos) {
    untilNanos.values().removeIf(each -> each <= nowNanos);
    untilNanos.merge(replica, endNanos, Math::max);
  }

  boolean run(long nowNanos) {
    return untilNanos.values().stream().anyMatch(each -> each > nowNanos);
  }

  boolean runs(long replica, long nowNanos) {
    return untilNanos.getOrDefault(replica, nowNanos) > nowNanos;
  }

  /**
   * How much of a log all of these have, given how much each has; as much as there is of nobody.
   */
  long common(LongUnaryOperator length, long nowNanos) {
    long common = Long.MAX_VALUE;
    for (var each : untilNanos.entrySet()) {
      if (each.getValue() > nowNanos) {
        common = Math.min(common, length.applyAsLong(each.getKey()));
      }
    }
    return common;
  }

  /** The clock may have been set ahead by so much: then as much is left of them as before. */
  void leapt(long nanos) {
    untilNanos.replaceAll((replica, endNanos) -> endNanos + nanos);
  }
}
