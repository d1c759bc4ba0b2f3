package dev.tempest.jcache;

import java.util.function.Supplier;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * When entries expire, by the policy of a cache. Where the policy throws, a new entry never
 * expires, and another one when it did before.
 */
record Expiry(ExpiryPolicy policy) {
  long afterCreation() {
    return at(policy::getExpiryForCreation, Stored.NEVER);
  }

  long afterUpdate(long before) {
    return at(policy::getExpiryForUpdate, before);
  }

  long afterAccess(long before) {
    return at(policy::getExpiryForAccess, before);
  }

  /** Whether that is now. */
  static boolean isOver(long expiresAtMillis) {
    return expiresAtMillis != Stored.NEVER && expiresAtMillis <= System.currentTimeMillis();
  }

  private static long at(Supplier<@Nullable Duration> says, long otherwise) {
    Duration duration;
    try {
      duration = says.get();
    } catch (RuntimeException failed) { // JCache leaves to providers what is used instead.
      return otherwise;
    }
    if (duration == null) {
      return otherwise;
    }
    if (duration.isEternal()) {
      return Stored.NEVER;
    }
    long now = System.currentTimeMillis();
    long at = now + duration.getTimeUnit().toMillis(duration.getDurationAmount());
    return at < now ? Stored.NEVER : at;
  }
}
