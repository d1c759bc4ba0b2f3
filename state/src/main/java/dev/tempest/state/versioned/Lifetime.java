package dev.tempest.state.versioned;

import java.time.Duration;

/**
 * How long entries of a collection live, and how many there may be.
 *
 * <p>The writer decides: a write says when its entry expires and which entries it evicts, so all
 * replicas agree, however they are configured.
 *
 * @param timeToLiveMillis from the write of an entry to its end; 0 for no end
 * @param idleMillis from the last write or read of an entry to its end; 0 for no end
 * @param sizeMax the most entries; 0 for no limit. Beyond it go first those whose end is nearest,
 *     and among those without end the ones not written for longest
 */
public record Lifetime(long timeToLiveMillis, long idleMillis, int sizeMax) {
  /** Entries stay until they are removed. */
  public static final Lifetime UNLIMITED = new Lifetime(0, 0, 0);

  /** Longer than anything lasts. */
  private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE / 4);

  /** Refuses negative limits. */
  public Lifetime {
    if (timeToLiveMillis < 0 || idleMillis < 0 || sizeMax < 0) {
      throw new IllegalArgumentException("limits must be positive, or 0 for none");
    }
  }

  /** The limits in the types of configurations. */
  public static Lifetime of(Duration timeToLive, Duration idle, int sizeMax) {
    return new Lifetime(millis(timeToLive), millis(idle), sizeMax);
  }

  /** In milliseconds, which can be added to a time however long it is; -1 if it is negative. */
  static long millis(Duration duration) {
    if (duration.isNegative()) {
      return -1;
    }
    return duration.compareTo(LONGEST) < 0 ? duration.toMillis() : LONGEST.toMillis();
  }

  boolean isUnlimited() {
    return timeToLiveMillis == 0 && idleMillis == 0 && sizeMax == 0;
  }

  /** A value written now with this lifetime. */
  Lease lease(Object value, long nowMillis) {
    long expiresAtMillis = timeToLiveMillis == 0 ? Lease.NEVER : nowMillis + timeToLiveMillis;
    return new Lease(value, expiresAtMillis, idleMillis, nowMillis);
  }
}
