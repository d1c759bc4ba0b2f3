package dev.tempest.config;

import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.config.file.DurationText;
import java.time.Duration;

/**
 * What a write into a collection waits for, and a read of a linearizable one. Immutable.
 *
 * @param acks how many nodes, this one included, have a write before it returns, if no rule says
 * @param deadline how long a write waits for other nodes: to have it, or to make room for it
 * @param maxAhead how many writes of this node another one that answers may lack before writers
 *     wait
 * @param reads whom a read of a linearizable collection asks
 */
public record WaitConfig(int acks, Duration deadline, int maxAhead, Reads reads) {
  /** The longest that a write waits. */
  public static final Duration DEADLINE_MAX = Duration.ofMinutes(10);

  /** Half of what a node keeps for a member that is away. */
  public static final int AHEAD_MAX = 1_000_000;

  static final WaitConfig DEFAULT =
      new WaitConfig(1, Duration.ofSeconds(10), 10_000, Reads.LINEARIZABLE);

  WaitConfig withAcks(int nodes) {
    return new WaitConfig(nodes, deadline, maxAhead, reads);
  }

  WaitConfig withDeadline(Duration longest) {
    return new WaitConfig(acks, longest, maxAhead, reads);
  }

  WaitConfig withMaxAhead(int entries) {
    return new WaitConfig(acks, deadline, entries, reads);
  }

  WaitConfig withReads(Reads chosen) {
    return new WaitConfig(acks, deadline, maxAhead, chosen);
  }

  /** Refuses what cannot work. */
  public WaitConfig {
    CollectionConfig.checkAcks(acks);
    if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(DEADLINE_MAX) > 0) {
      throw new IllegalArgumentException(
          "the deadline of writes must be 1 ms to 10 minutes, not " + DurationText.of(deadline));
    }
    if (maxAhead < 1 || maxAhead > AHEAD_MAX) {
      throw new IllegalArgumentException(
          "a node must be ahead by at most 1 to 1M writes, not " + maxAhead);
    }
    if (!reads.isLinearizable()) {
      throw new IllegalArgumentException(
          "reads of linearizable collections show every earlier write");
    }
  }
}
