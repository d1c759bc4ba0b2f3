package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Placement.Room;
import dev.tempest.wire.SlotEntry;

/**
 * How a group works.
 *
 * @param size how many replicas found it: all that there are to be
 * @param order of this replica: who leads decides who executes
 */
public record LogSettings(int size, Order.ByConsensus order, Group group, Limits limits) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** How often a leader speaks, at least. */
  public static final long HEARTBEAT_NANOS = 20 * NANOS_PER_MILLI;

  private static final long ELECTION_NANOS = 100 * NANOS_PER_MILLI;
  private static final int BATCH_MAX = 64;

  /** So that it is one datagram; what is larger travels as a stream. */
  private static final int BATCH_BYTES = 48 << 10;

  /** Refuses what nobody can found. */
  public LogSettings {
    if (size < 1 || size > SlotEntry.Members.COUNT_MAX) {
      throw new IllegalArgumentException(
          "a group has 1 to %d members, not %d".formatted(SlotEntry.Members.COUNT_MAX, size));
    }
  }

  /**
   * Of what may wait for other replicas a log takes so much. With little memory that is less than
   * one large change: whoever is behind by that takes the state.
   */
  private static final int LOG_SHARE = 4;

  /** Where nothing else is said, for a replica that has so much room. */
  public static LogSettings usual(long self, int size, Order.ByConsensus order, Room room) {
    long logMaxBytes = Math.min(Limits.USUAL.logMaxBytes(), room.waitingMaxBytes() / LOG_SHARE);
    LogSettings usual = usual(self, size, order);
    return new LogSettings(size, order, usual.group(), Limits.USUAL.withLog(logMaxBytes));
  }

  /** Where nothing else is said. */
  public static LogSettings usual(long self, int size, Order.ByConsensus order) {
    Group group =
        new Group(
            self,
            order.quorum(),
            HEARTBEAT_NANOS,
            ELECTION_NANOS,
            order.stores(),
            Group.Leases.of(order.reads()),
            order.isFast(),
            BATCH_MAX,
            BATCH_BYTES);
    return new LogSettings(size, order, group, Limits.USUAL);
  }

  /**
   * How much a replica keeps, remembers, and lets wait.
   *
   * @param logMaxBytes of its log in memory, about
   * @param clients what it remembers of them, by milliseconds
   * @param stampAheadMaxMillis so far ahead of the log the clock of a client may be, which is less
   *     than clients are remembered
   * @param stampBehindMaxMillis so far behind the log the stamp of an update may be: later nobody
   *     executes it any more
   * @param updates of so many it knows who waits for the answer, and so many it keeps that another
   *     one executes; of more the oldest go, and their clients ask again
   * @param keptMaxBytes what those may take that it keeps, about
   * @param reads so many wait; others are refused
   */
  public record Limits(
      long logMaxBytes,
      ClientTable.Bounds clients,
      int stampAheadMaxMillis,
      int stampBehindMaxMillis,
      int updates,
      long keptMaxBytes,
      int reads) {
    /** Where nothing else is said. */
    public static final Limits USUAL =
        new Limits(
            64L << 20,
            new ClientTable.Bounds(
                ClientTable.RETENTION_MILLIS,
                12L * ClientTable.RETENTION_MILLIS,
                32L << 20,
                1_024,
                ClientTable.INTERVALS_MAX),
            60_000,
            2_000, // Longer than a queue gets; with a retry shorter than deadlines.
            65_536,
            32L << 20, // Some seconds' worth of what most services are asked for.
            8_192);

    /** Refuses limits that let nothing through. */
    public Limits {
      if (stampAheadMaxMillis < 0 || stampAheadMaxMillis >= clients.atLeast()) {
        throw new IllegalArgumentException("a client is remembered for longer than it is ahead");
      }
      if (stampBehindMaxMillis < 1) {
        throw new IllegalArgumentException("an update takes at least 1 ms");
      }
      if (logMaxBytes < 1 || updates < 1 || keptMaxBytes < 1 || reads < 1) {
        throw new IllegalArgumentException("limits are at least 1 byte, 1 update and 1 read");
      }
    }

    /** With such a log. */
    public Limits withLog(long maxBytes) {
      return new Limits(
          maxBytes,
          clients,
          stampAheadMaxMillis,
          stampBehindMaxMillis,
          updates,
          keptMaxBytes,
          reads);
    }
  }
}
