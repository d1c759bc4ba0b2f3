package dev.tempest.state.versioned;

import org.jspecify.annotations.Nullable;

/**
 * A stored value that ends at some time, or has to make room some day.
 *
 * @param value the stored value, never a lease
 * @param expiresAtMillis when it ends at the latest, or {@link #NEVER}
 * @param idleMillis for how long it lives unused; 0 for ever
 * @param usedMillis when it was last written or touched
 */
record Lease(Object value, long expiresAtMillis, long idleMillis, long usedMillis) {
  static final long NEVER = Long.MAX_VALUE;

  /** When it ends unless it is used before. */
  long deadlineMillis() {
    return idleMillis == 0 ? expiresAtMillis : Math.min(expiresAtMillis, usedMillis + idleMillis);
  }

  boolean isOver(long nowMillis) {
    return deadlineMillis() <= nowMillis;
  }

  /** Whether a slot holds something that is not over; its value may be unreadable. */
  static boolean isThere(@Nullable Object slot, long nowMillis) {
    return slot != null && !(slot instanceof Lease lease && lease.isOver(nowMillis));
  }

  /** True once a quarter of the idle time has passed: not every read is worth a message. */
  boolean isWorthTouching(long nowMillis) {
    return idleMillis > 0 && nowMillis - usedMillis >= idleMillis / 4;
  }

  Lease usedAt(long nowMillis) {
    return nowMillis <= usedMillis
        ? this
        : new Lease(value, expiresAtMillis, idleMillis, nowMillis);
  }

  Lease with(Object other) {
    return new Lease(other, expiresAtMillis, idleMillis, usedMillis);
  }
}
