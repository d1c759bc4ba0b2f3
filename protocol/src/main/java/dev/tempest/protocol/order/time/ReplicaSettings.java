package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Placement.Room;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Kept;
import dev.tempest.wire.SeenByTime;
import java.util.SortedMap;

/**
 * Which replica of which service this is, and how it runs.
 *
 * @param service the stable hash of the service's name
 * @param self the id of this replica
 * @param view all replicas of the service, this one included, and where they are reached
 * @param timing how often it does what
 * @param limits what it refuses
 * @param policy what the service asks of all its replicas
 */
public record ReplicaSettings(
    long service,
    long self,
    SortedMap<Long, Address> view,
    Timing timing,
    Limits limits,
    Policy policy) {

  /** Refuses a view that lacks the replica itself. */
  public ReplicaSettings {
    if (!view.containsKey(self)) {
      throw new IllegalArgumentException(
          "the view " + view.keySet() + " lacks the replica itself, " + self);
    }
  }

  /** Settings with the defaults for everything but who is there. */
  public static ReplicaSettings of(long service, long self, SortedMap<Long, Address> view) {
    return new ReplicaSettings(service, self, view, Timing.USUAL, Limits.USUAL, Policy.USUAL);
  }

  /**
   * How often a replica does what, and how long it waits.
   *
   * @param gossipIntervalMillis the time between two gossip rounds that this replica starts
   * @param idleGossipMillis the same while nothing is unsettled here; at least as long
   * @param epochs how long epochs are, and when they close; equal at all replicas
   * @param reunionMillis for so long after a replica has left the view nothing settles without it,
   *     as far as memory allows: if it comes back with entries of its own, all find their places
   */
  public record Timing(
      int gossipIntervalMillis, int idleGossipMillis, Epochs epochs, int reunionMillis) {
    /** Where nothing else is said. */
    public static final Timing USUAL = gossiping(100, 100);

    /** Refuses times that cannot work. */
    public Timing {
      if (gossipIntervalMillis < 1 || idleGossipMillis < gossipIntervalMillis) {
        throw new IllegalArgumentException(
            "gossip comes at most once per ms, and at most as often while idle");
      }
      if (epochs.lengthMillis() < 1 || epochs.closeAfter() < 1) {
        throw new IllegalArgumentException("epochs last at least 1 ms and close after at least 1");
      }
      if (reunionMillis < 0) {
        throw new IllegalArgumentException("nobody waits for a negative time");
      }
    }

    /** The usual times with other intervals of gossip. */
    public static Timing gossiping(int intervalMillis, int idleMillis) {
      return new Timing(intervalMillis, idleMillis, Epochs.USUAL, 60_000);
    }
  }

  /**
   * What a replica refuses.
   *
   * @param stampAheadMaxMillis a stamp further ahead of the clock is refused
   * @param unsettledMaxBytes what unsettled entries may take in memory, about; beyond it the
   *     replica {@linkplain ReplicaByTime#isFull is full}
   * @param aheadMax how many of its writes may be unconfirmed by a replica that answers; beyond it
   *     the replica {@linkplain ReplicaByTime#isAhead is ahead}
   * @param aheadMaxBytes what these may take; but one write, however large it is
   * @param repairMax how many entries one repair carries at most; the rest comes with the next
   *     round
   * @param repairMaxBytes bytes of bodies after which a repair is full
   * @param pieceBytes how large the pieces are in which a state travels, about
   * @param waits how much waits at a time
   * @param memory how long and how much is remembered
   */
  public record Limits(
      int stampAheadMaxMillis,
      long unsettledMaxBytes,
      int aheadMax,
      long aheadMaxBytes,
      int repairMax,
      int repairMaxBytes,
      int pieceBytes,
      Waits waits,
      Memory memory) {
    private static final long AHEAD_MAX_BYTES = 8 << 20;
    private static final long AHEAD_MIN_BYTES = 64 << 10;

    /** Of what may wait: one that is full takes so much of each of the others all the same. */
    private static final int AHEAD_SHARE = 32;

    private static final int REPAIR_MAX = 8_192;
    private static final int REPAIR_MAX_BYTES = 8 << 20;

    /** A millisecond of work, about. */
    private static final int PIECE_BYTES = 64 << 10;

    /** Where nothing else is said. */
    public static final Limits USUAL = ofUnsettled(256L << 20);

    /** Refuses limits that let nothing through. */
    public Limits {
      if (stampAheadMaxMillis < 1
          || unsettledMaxBytes < 1
          || aheadMax < 1
          || aheadMaxBytes < 1
          || repairMax < 1
          || repairMaxBytes < 1
          || pieceBytes < 1) {
        throw new IllegalArgumentException("limits are at least 1 ms, 1 byte and 1 write");
      }
    }

    /** The usual limits with another one for unsettled entries. */
    public static Limits ofUnsettled(long maxBytes) {
      return of(new Room(maxBytes, Room.USUAL.aheadMax()));
    }

    /** The usual limits for a replica that has so much room. */
    public static Limits of(Room room) {
      return new Limits(
          Stamp.AHEAD_MAX_MILLIS,
          room.waitingMaxBytes(),
          room.aheadMax(),
          Math.clamp(room.waitingMaxBytes() / AHEAD_SHARE, AHEAD_MIN_BYTES, AHEAD_MAX_BYTES),
          REPAIR_MAX,
          REPAIR_MAX_BYTES,
          PIECE_BYTES,
          Waits.USUAL,
          Memory.USUAL);
    }
  }

  /**
   * How much waits at a time, and how much a client waits for.
   *
   * @param reads how many wait for what their clients have seen; others are refused
   * @param updates how many wait until another replica has executed them; the client of one that
   *     comes then asks again
   * @param acks of how many of its writes a replica asks at once whether others have them
   * @param seen of how many clients, and in how many intervals of one, a client is told which
   *     updates it has seen; where there are more, reads are refused
   */
  public record Waits(int reads, int updates, int acks, int seen) {
    /** Where nothing else is said. */
    public static final Waits USUAL =
        new Waits(256, 4_096, 1_024, Math.min(SeenByTime.CLIENTS_MAX, SeenByTime.INTERVALS_MAX));

    /** Refuses limits that let nothing through, and more than travels. */
    public Waits {
      if (reads < 1 || updates < 1 || acks < 1 || seen < 1) {
        throw new IllegalArgumentException("at least one waits at a time");
      }
      if (seen > SeenByTime.CLIENTS_MAX || seen > SeenByTime.INTERVALS_MAX) {
        throw new IllegalArgumentException("a handle holds no " + seen + " clients or intervals");
      }
    }
  }

  /**
   * How long and how much a replica remembers.
   *
   * @param atLeastMillis a client that was silent for no longer is remembered
   * @param atMostMillis one that was silent for twice as long is forgotten, about
   * @param maxBytes with so much of clients in memory, new ones are refused
   * @param epochs of so many that had entries it knows what had settled at their end; equal at all
   *     replicas
   * @param absent of so many it remembers that they are away; of more, the earliest are forgotten
   * @param ancestors of so many it knows that it has what they have settled, the latest: at least
   *     as many as there are
   * @param answers how many are kept for one client
   * @param intervals in so many intervals it knows the updates of one client
   */
  public record Memory(
      int atLeastMillis,
      int atMostMillis,
      long maxBytes,
      int epochs,
      int absent,
      int ancestors,
      int answers,
      int intervals) {
    /** Where nothing else is said. */
    public static final Memory USUAL =
        new Memory(
            ClientTable.RETENTION_MILLIS,
            3_600_000,
            32 << 20,
            1_024,
            Kept.AWAY_MAX,
            256,
            1_024,
            ClientTable.INTERVALS_MAX);

    /** Refuses a memory that forgets at once. */
    public Memory {
      if (atLeastMillis < 1 || atMostMillis < atLeastMillis || maxBytes < 1 || epochs < 1) {
        throw new IllegalArgumentException("at least 1 ms and 1 epoch are remembered");
      }
      if (absent < 1 || absent > Kept.AWAY_MAX || ancestors < 1 || answers < 1 || intervals < 1) {
        throw new IllegalArgumentException(
            "1 to "
                + Kept.AWAY_MAX
                + " absent replicas are remembered, and at least 1 ancestor, answer and interval");
      }
    }

    ClientTable.Bounds bounds() {
      return new ClientTable.Bounds(
          Stamp.atMillis(atLeastMillis),
          Stamp.atMillis(atMostMillis),
          maxBytes,
          answers,
          intervals);
    }
  }

  /**
   * What a service asks of its replicas; equal at all of them.
   *
   * @param reconcile what two replicas do of which each has what the other lacks
   * @param executesAny whether one replica executes a call, any, and the others apply what it
   *     wrote; else all execute it
   */
  public record Policy(Reconcile reconcile, boolean executesAny) {
    /** Where nothing else is said. */
    public static final Policy USUAL = new Policy(Reconcile.MERGE, false);
  }
}
