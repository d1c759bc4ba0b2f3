package dev.tempest.config;

import java.time.Duration;

/**
 * How a collection is kept. Immutable; {@link #DEFAULT} has the defaults, the {@code with} methods
 * change one thing each.
 *
 * @param preset how its writes travel
 * @param timeToLive how long an entry lives after it was written; {@link Duration#ZERO} for ever
 * @param idle how long an entry lives after it was last written or touched; {@link Duration#ZERO}
 *     for ever
 * @param maxSize how many entries it has at most, 0 for no limit; above it entries are evicted
 * @param acks how many nodes, the writer included, have a write before it returns; 0 for as many as
 *     the node's configuration says
 */
public record CollectionConfig(
    Preset preset, Duration timeToLive, Duration idle, int maxSize, int acks) {
  /** Preset {@link Preset#SESSION}, entries stay until they are removed, acks of the node. */
  public static final CollectionConfig DEFAULT =
      new CollectionConfig(Preset.SESSION, Duration.ZERO, Duration.ZERO, 0, 0);

  /** The longest time to live and idle time; for longer ones say for ever. */
  public static final Duration LIFETIME_MAX = Duration.ofDays(36_500);

  /** The largest maximum size. */
  public static final int SIZE_MAX = 1_000_000_000;

  /** The most nodes that a write waits for. */
  public static final int ACKS_MAX = 64;

  /** Refuses what cannot work, saying what can. */
  public CollectionConfig {
    checkLifetime("time to live", timeToLive);
    checkLifetime("idle time", idle);
    if (maxSize < 0 || maxSize > SIZE_MAX) {
      throw new IllegalArgumentException(
          "the maximum size must be 1 to " + SIZE_MAX + ", or 0 for no limit, not " + maxSize);
    }
    if (acks != 0) {
      checkAcks(acks);
    }
  }

  static int checkAcks(int nodes) {
    if (nodes < 1 || nodes > ACKS_MAX) {
      throw new IllegalArgumentException("acks must be 1 to " + ACKS_MAX + ", not " + nodes);
    }
    return nodes;
  }

  private static void checkLifetime(String what, Duration lifetime) {
    if (!lifetime.isZero()
        && (lifetime.compareTo(Duration.ofMillis(1)) < 0 || lifetime.compareTo(LIFETIME_MAX) > 0)) {
      throw new IllegalArgumentException(
          "the " + what + " must be 1 ms to 36500 days, or zero for ever, not " + lifetime);
    }
  }

  /** The same with another preset. */
  public CollectionConfig withPreset(Preset other) {
    return new CollectionConfig(other, timeToLive, idle, maxSize, acks);
  }

  /** The same with another time to live, {@link Duration#ZERO} for ever. */
  public CollectionConfig withTimeToLive(Duration duration) {
    return new CollectionConfig(preset, duration, idle, maxSize, acks);
  }

  /** The same with another idle time, {@link Duration#ZERO} for ever. */
  public CollectionConfig withIdle(Duration duration) {
    return new CollectionConfig(preset, timeToLive, duration, maxSize, acks);
  }

  /** The same with another maximum size, 0 for no limit. */
  public CollectionConfig withMaxSize(int entries) {
    return new CollectionConfig(preset, timeToLive, idle, entries, acks);
  }

  /** The same with other acks, 0 for the node's. */
  public CollectionConfig withAcks(int nodes) {
    return new CollectionConfig(preset, timeToLive, idle, maxSize, nodes);
  }
}
