package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Order;
import dev.tempest.wire.SlotEntry;

/**
 * How a group works.
 *
 * @param size how many replicas found it: all that there are to be
 * @param order of this replica: who leads decides who executes
 * @param logMaxBytes how much of its log a replica keeps in memory, about
 */
public record LogSettings(int size, Order.ByConsensus order, Group group, long logMaxBytes) {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long HEARTBEAT_NANOS = 20 * NANOS_PER_MILLI;
  private static final long ELECTION_NANOS = 100 * NANOS_PER_MILLI;
  private static final int BATCH_MAX = 64;

  /** So that it is one datagram; what is larger travels as a stream. */
  private static final int BATCH_BYTES = 48 << 10;

  private static final long LOG_BYTES = 64L << 20;

  /** Refuses what nobody can found. */
  public LogSettings {
    if (size < 1 || size > SlotEntry.Members.COUNT_MAX || logMaxBytes < 1) {
      throw new IllegalArgumentException(
          "a group has 1 to %d members, not %d".formatted(SlotEntry.Members.COUNT_MAX, size));
    }
  }

  /** Where nothing else is said. */
  public static LogSettings usual(long self, int size, Order.ByConsensus order) {
    boolean leases = order.reads() == Order.ByConsensus.Reads.LEASE;
    Group group =
        new Group(
            self, HEARTBEAT_NANOS, ELECTION_NANOS, order.stores(), leases, BATCH_MAX, BATCH_BYTES);
    return new LogSettings(size, order, group, LOG_BYTES);
  }
}
