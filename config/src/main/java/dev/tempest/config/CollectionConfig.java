package dev.tempest.config;

import dev.tempest.config.file.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * How a collection is kept. Immutable; {@link #builder} makes one.
 *
 * <pre>{@code
 * CollectionConfig.builder().preset(Preset.EVENTUAL).idle(Duration.ofMinutes(30)).build();
 * }</pre>
 */
public final class CollectionConfig {
  /** The longest time to live and idle time; for longer ones say for ever. */
  public static final Duration LIFETIME_MAX = Duration.ofDays(36_500);

  /** The largest maximum size. */
  public static final int SIZE_MAX = 1_000_000_000;

  /** The most nodes that a write waits for. */
  public static final int ACKS_MAX = 64;

  private static final CollectionConfig DEFAULT = builder().build();

  private final Preset preset;
  private final Duration timeToLive;
  private final Duration idle;
  private final int maxSize;
  private final int acks;
  private final Consistency consistency;

  private CollectionConfig(Builder builder) {
    this.preset = builder.preset;
    this.timeToLive = builder.timeToLive;
    this.idle = builder.idle;
    this.maxSize = builder.maxSize;
    this.acks = builder.acks;
    this.consistency = builder.consistency;
  }

  /**
   * Eventual, preset {@link Preset#SESSION}, entries stay until they are removed, acks of the node.
   */
  public static CollectionConfig defaults() {
    return DEFAULT;
  }

  /** Begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins with what this one says. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.preset = preset;
    builder.timeToLive = timeToLive;
    builder.idle = idle;
    builder.maxSize = maxSize;
    builder.acks = acks;
    builder.consistency = consistency;
    return builder;
  }

  /** How its writes travel. */
  public Preset preset() {
    return preset;
  }

  /** How long an entry lives after it was written; {@link Duration#ZERO} for ever. */
  public Duration timeToLive() {
    return timeToLive;
  }

  /**
   * How long an entry lives after it was last written or touched; {@link Duration#ZERO} for ever.
   */
  public Duration idle() {
    return idle;
  }

  /** How many entries it has at most, 0 for no limit; above it entries are evicted. */
  public int maxSize() {
    return maxSize;
  }

  /**
   * How many nodes, the writer included, have a write before it returns; 0 for as many as the
   * node's configuration says, or as a majority if the collection is linearizable.
   */
  public int acks() {
    return acks;
  }

  /** In which order its writes count, and what reads show. */
  public Consistency consistency() {
    return consistency;
  }

  /** Whether a majority agrees on each write, so that it has to be known who all nodes are. */
  public boolean isLinearizable() {
    return consistency == Consistency.LINEARIZABLE;
  }

  /**
   * Gathers a configuration. Each method refuses what cannot work with an {@link
   * IllegalArgumentException} whose message says what can. Not thread-safe.
   */
  public static final class Builder {
    private Preset preset = Preset.SESSION;
    private Duration timeToLive = Duration.ZERO;
    private Duration idle = Duration.ZERO;
    private int maxSize;
    private int acks;
    private Consistency consistency = Consistency.EVENTUAL;

    private Builder() {}

    /** How its writes travel; default: {@link Preset#SESSION}. */
    public Builder preset(Preset chosen) {
      preset = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * How long an entry lives after it was written, 1 ms to {@link #LIFETIME_MAX}; {@link
     * Duration#ZERO} (the default) for ever.
     */
    public Builder timeToLive(Duration longest) {
      timeToLive = checkLifetime("time to live", longest);
      return this;
    }

    /**
     * How long an entry lives after it was last written or touched, 1 ms to {@link #LIFETIME_MAX};
     * {@link Duration#ZERO} (the default) for ever.
     */
    public Builder idle(Duration longest) {
      idle = checkLifetime("idle time", longest);
      return this;
    }

    /**
     * How many entries it has at most, up to {@link #SIZE_MAX}; above it entries are evicted. 0
     * (the default) for no limit.
     */
    public Builder maxSize(int entries) {
      if (entries < 0 || entries > SIZE_MAX) {
        throw new IllegalArgumentException(
            "the maximum size must be 1 to " + SIZE_MAX + ", or 0 for no limit, not " + entries);
      }
      maxSize = entries;
      return this;
    }

    /**
     * How many nodes, the writer included, have a write before it returns, 1 to {@link #ACKS_MAX};
     * default: as many as {@link NodeConfig.Builder#acks} says.
     */
    public Builder acks(int nodes) {
      acks = checkAcks(nodes);
      return this;
    }

    /** In which order its writes count; default: {@link Consistency#EVENTUAL}. */
    public Builder consistency(Consistency chosen) {
      consistency = Objects.requireNonNull(chosen);
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException if it is linearizable, and has {@link #acks} or the preset
     *     {@link Preset#EVENTUAL}; or if it is to be kept by a primary
     */
    public CollectionConfig build() {
      require(
          consistency != Consistency.PRIMARY_BACKUP,
          "collections are eventual or linearizable; only services have a primary");
      if (consistency == Consistency.LINEARIZABLE) {
        require(
            acks == 0,
            "of a linearizable collection a majority has each write before it returns: leave acks"
                + " out");
        require(
            preset != Preset.EVENTUAL,
            "a preset says which of two concurrent writes wins, and writes to a linearizable"
                + " collection are never concurrent: leave preset out");
      }
      return new CollectionConfig(this);
    }

    private static void require(boolean holds, String otherwise) {
      if (!holds) {
        throw new IllegalArgumentException(otherwise);
      }
    }

    private static Duration checkLifetime(String what, Duration lifetime) {
      if (!lifetime.isZero()
          && (lifetime.compareTo(Duration.ofMillis(1)) < 0
              || lifetime.compareTo(LIFETIME_MAX) > 0)) {
        throw new IllegalArgumentException(
            "the "
                + what
                + " must be 1 ms to 36500 days, or zero for ever, not "
                + DurationText.of(lifetime));
      }
      return lifetime;
    }
  }

  static int checkAcks(int nodes) {
    if (nodes < 1 || nodes > ACKS_MAX) {
      throw new IllegalArgumentException("acks must be 1 to " + ACKS_MAX + ", not " + nodes);
    }
    return nodes;
  }
}
