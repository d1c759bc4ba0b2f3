package dev.tempest.config;

import dev.tempest.config.file.DurationText;
import java.time.Duration;

/**
 * What a write into a collection waits for. Immutable.
 *
 * @param acks how many nodes, this one included, have a write before it returns, if no rule says
 * @param deadline how long a write waits for other nodes: to have it, or to make room for it
 * @param maxAhead how many writes of this node another one that answers may lack before writers
 *     wait
 */
public record WriteConfig(int acks, Duration deadline, int maxAhead) {
  /** The longest that a write waits. */
  public static final Duration DEADLINE_MAX = Duration.ofMinutes(10);

  /** Half of what a node keeps for a member that is away. */
  public static final int AHEAD_MAX = 1_000_000;

  static final WriteConfig DEFAULT = new WriteConfig(1, Duration.ofSeconds(10), 10_000);

  /** Refuses what cannot work. */
  public WriteConfig {
    CollectionConfig.checkAcks(acks);
    if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(DEADLINE_MAX) > 0) {
      throw new IllegalArgumentException(
          "the deadline of writes must be 1 ms to 10 minutes, not " + DurationText.of(deadline));
    }
    if (maxAhead < 1 || maxAhead > AHEAD_MAX) {
      throw new IllegalArgumentException(
          "a node must be ahead by at most 1 to 1M writes, not " + maxAhead);
    }
  }
}
