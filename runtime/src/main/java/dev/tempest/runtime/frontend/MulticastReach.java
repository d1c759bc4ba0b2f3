package dev.tempest.runtime.frontend;

import java.util.concurrent.TimeUnit;

/**
 * Whether the groups of services reach their servers. Some networks lose what is sent to a group,
 * without an error, and some servers do not listen to any. Where something was not answered, groups
 * rest: for a second at first, and for twice as long whenever they fail again, up to a minute.
 */
final class MulticastReach {
  private static final long REST_MIN_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long REST_MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What is answered so soon after a rest was sent before its end, to each server. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long restNanos = REST_MIN_NANOS;
  private long untilNanos = Long.MIN_VALUE;

  /** Whether groups are used now. */
  boolean isTried(long nowNanos) {
    return nowNanos >= untilNanos;
  }

  /**
   * Something was not answered that was sent to a group, or to servers that are silent: that is not
   * known, and to send to each of them costs little.
   */
  void failed(long nowNanos) {
    if (isTried(nowNanos)) {
      untilNanos = nowNanos + restNanos;
      restNanos = Math.min(2 * restNanos, REST_MAX_NANOS);
    }
  }

  /** An update was answered. */
  void answered(long nowNanos) {
    if (nowNanos >= untilNanos + GRACE_NANOS) {
      restNanos = REST_MIN_NANOS;
    }
  }
}
