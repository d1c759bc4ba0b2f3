package dev.tempest.sessions;

import dev.tempest.config.CollectionConfig;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How sessions are kept. Immutable; {@link #builder} makes one.
 *
 * @param name what the collections are called that hold the sessions
 * @param maxInactive after so long without a request a new session ends; zero, and a hundred years
 *     and more, for never
 * @param touchEvery a request that comes sooner after the one before does not say so to others
 * @param acks how many processes have what a request wrote before it is answered
 * @param saveMode which attributes a request saves
 * @param seenWithin how long a request waits for what its client has seen elsewhere
 * @param sessionsMax the most sessions of the cluster
 * @param attributesMax the most attributes of a session
 * @param attributeMaxBytes the most bytes of an attribute
 * @param sessionMaxBytes the most bytes of all attributes of a session, with their names
 * @param codec how values become bytes
 */
public record SessionsConfig(
    String name,
    Duration maxInactive,
    Duration touchEvery,
    int acks,
    SaveMode saveMode,
    Duration seenWithin,
    int sessionsMax,
    int attributesMax,
    int attributeMaxBytes,
    int sessionMaxBytes,
    AttributeCodec codec) {

  /** More one change of a node might not hold, with all that a request removes. */
  static final int BYTES_MAX = 12 << 20;

  static final int ATTRIBUTES_MAX = 10_000;

  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final int NANOS_BELOW_MILLI = 999_999;

  /**
   * Checks each of them.
   *
   * @throws IllegalArgumentException if one is out of its range; the message says which, and what
   *     it may be
   */
  public SessionsConfig {
    Objects.requireNonNull(name);
    Objects.requireNonNull(saveMode);
    Objects.requireNonNull(codec);
    maxInactive = life(time("maxInactive", maxInactive));
    touchEvery = time("touchEvery", touchEvery);
    seenWithin = time("seenWithin", seenWithin);
    requireWithin("acks", acks, CollectionConfig.ACKS_MAX);
    requireWithin("sessionsMax", sessionsMax, Integer.MAX_VALUE);
    requireWithin("attributesMax", attributesMax, ATTRIBUTES_MAX);
    requireWithin("attributeMaxBytes", attributeMaxBytes, BYTES_MAX);
    requireWithin("sessionMaxBytes", sessionMaxBytes, BYTES_MAX);
  }

  /** What is longer than all that counts is as good as that. */
  private static Duration time(String what, Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(what + " must be 0 or longer, not " + time);
    }
    return time.compareTo(LONGEST) > 0 ? LONGEST : time;
  }

  /** In milliseconds, rounded up; zero for never, and for a hundred years and more. */
  static Duration life(Duration time) {
    return time.compareTo(LONGEST) >= 0
        ? Duration.ZERO
        : time.plusNanos(NANOS_BELOW_MILLI).truncatedTo(ChronoUnit.MILLIS);
  }

  private static void requireWithin(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "%s must be 1 to %,d, not %,d".formatted(what, most, value));
    }
  }

  /** Begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Gathers a configuration. Not thread-safe. */
  public static final class Builder {
    private String name = "sessions";
    private Duration maxInactive = Duration.ofMinutes(30);
    private Duration touchEvery = Duration.ofSeconds(1);
    private int acks = 1;
    private SaveMode saveMode = SaveMode.ON_SET;
    private Duration seenWithin = Duration.ofSeconds(1);
    private int sessionsMax = 1_000_000;
    private int attributesMax = 1_000;
    private int attributeMaxBytes = 1 << 20;
    private int sessionMaxBytes = 4 << 20;
    private @Nullable AttributeCodec codec;

    private Builder() {}

    /**
     * What the collections are called that hold the sessions: applications of one cluster that have
     * sessions of their own have names of their own. Default: {@code sessions}. In {@code
     * tempest.yaml} they are configured as {@code sessions*}.
     */
    public Builder name(String chosen) {
      name = chosen;
      return this;
    }

    /** After so long without a request a new session ends; zero for never. Default: 30 minutes. */
    public Builder maxInactive(Duration time) {
      maxInactive = time;
      return this;
    }

    /**
     * A request that comes sooner after the one before, and changes nothing, sends nothing.
     * Sessions live that much longer, and the time of their last request is that exact. Default: 1
     * second.
     */
    public Builder touchEvery(Duration time) {
      touchEvery = time;
      return this;
    }

    /**
     * How many processes have what a request wrote before it is answered, this one included, from 1
     * to 64. Default: 1. Linearizable sessions a majority has, whatever it says.
     */
    public Builder acks(int processes) {
      acks = processes;
      return this;
    }

    /** Which attributes a request saves. Default: those that it set. */
    public Builder saveMode(SaveMode mode) {
      saveMode = mode;
      return this;
    }

    /**
     * How long a request waits for what its client has seen elsewhere, as {@link
     * Sessions#awaitSeen} says. Default: 1 second.
     */
    public Builder seenWithin(Duration time) {
      seenWithin = time;
      return this;
    }

    /** The most sessions of the cluster, from 1; default: 1,000,000. */
    public Builder sessionsMax(int count) {
      sessionsMax = count;
      return this;
    }

    /** The most attributes of a session, from 1 to 10,000; default: 1,000. */
    public Builder attributesMax(int count) {
      attributesMax = count;
      return this;
    }

    /** The most bytes of an attribute, from 1 to 12 MiB; default: 1 MiB. */
    public Builder attributeMaxBytes(int bytes) {
      attributeMaxBytes = bytes;
      return this;
    }

    /**
     * The most bytes of all attributes of a session, with their names, from 1 to 12 MiB; default: 4
     * MiB.
     */
    public Builder sessionMaxBytes(int bytes) {
      sessionMaxBytes = bytes;
      return this;
    }

    /**
     * How values become bytes. Default: Java's serialization, with the classes that the thread's
     * context class loader finds when the configuration is built.
     */
    public Builder codec(AttributeCodec chosen) {
      codec = chosen;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException if something is out of its range
     */
    public SessionsConfig build() {
      return new SessionsConfig(
          name,
          maxInactive,
          touchEvery,
          acks,
          saveMode,
          seenWithin,
          sessionsMax,
          attributesMax,
          attributeMaxBytes,
          sessionMaxBytes,
          codec == null
              ? AttributeCodec.javaSerialization(Thread.currentThread().getContextClassLoader())
              : codec);
    }
  }
}
