package dev.tempest.sessions;

import java.time.Duration;
import java.util.Objects;

/** How sessions are kept. Immutable; {@link #builder} makes one. */
public final class SessionsConfig {
  private final String name;
  private final Duration maxInactive;
  private final int acks;
  private final int attributesMax;
  private final int attributeMaxBytes;
  private final AttributeCodec codec;

  private SessionsConfig(Builder builder) {
    this.name = builder.name;
    this.maxInactive = builder.maxInactive;
    this.acks = builder.acks;
    this.attributesMax = builder.attributesMax;
    this.attributeMaxBytes = builder.attributeMaxBytes;
    this.codec = builder.codec;
  }

  /** Begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  String name() {
    return name;
  }

  Duration maxInactive() {
    return maxInactive;
  }

  int acks() {
    return acks;
  }

  int attributesMax() {
    return attributesMax;
  }

  int attributeMaxBytes() {
    return attributeMaxBytes;
  }

  AttributeCodec codec() {
    return codec;
  }

  /** Gathers a configuration. Not thread-safe. */
  public static final class Builder {
    private static final int ACKS_MAX = 64;

    private String name = "sessions";
    private Duration maxInactive = Duration.ofMinutes(30);
    private int acks = 1;
    private int attributesMax = 1_000;
    private int attributeMaxBytes = 1 << 20;
    private AttributeCodec codec = AttributeCodec.javaSerialization();

    private Builder() {}

    /**
     * What the collections are called that hold the sessions: applications of one cluster that have
     * sessions of their own have names of their own. Default: {@code sessions}. In {@code
     * tempest.yaml} they are configured as {@code sessions-*}.
     */
    public Builder name(String chosen) {
      name = Objects.requireNonNull(chosen);
      return this;
    }

    /** After so long without a request a new session ends; zero for never. Default: 30 minutes. */
    public Builder maxInactive(Duration time) {
      require(!time.isNegative(), "sessions end after a time, or never: 0, not " + time);
      maxInactive = time;
      return this;
    }

    /** How many processes have what a request wrote before it is answered. Default: 1, this one. */
    public Builder acks(int processes) {
      require(
          processes >= 1 && processes <= ACKS_MAX,
          "acks must be 1 to " + ACKS_MAX + ", not " + processes);
      acks = processes;
      return this;
    }

    /** The most attributes of a session, from 1; default: 1,000. */
    public Builder attributesMax(int count) {
      require(count >= 1, "a session has at least one attribute, not " + count);
      attributesMax = count;
      return this;
    }

    /** The most bytes of an attribute, from 1; default: 1 MiB. */
    public Builder attributeMaxBytes(int bytes) {
      require(bytes >= 1, "an attribute takes at least a byte, not " + bytes);
      attributeMaxBytes = bytes;
      return this;
    }

    /** How values become bytes; default: Java's serialization. */
    public Builder codec(AttributeCodec chosen) {
      codec = Objects.requireNonNull(chosen);
      return this;
    }

    /** The configuration. */
    public SessionsConfig build() {
      return new SessionsConfig(this);
    }

    private static void require(boolean holds, String otherwise) {
      if (!holds) {
        throw new IllegalArgumentException(otherwise);
      }
    }
  }
}
