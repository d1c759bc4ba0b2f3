package dev.tempest.protocol.order;

/**
 * What decides in which order the updates of a service count, who executes them, and what can be
 * chosen about that; equal at all replicas of the service but for the intervals.
 */
public sealed interface Order {
  /** By consensus; the leader executes, and every read is linearizable. */
  ByConsensus LINEARIZABLE =
      new ByConsensus(
          ByConsensus.Executes.LEADER, ByConsensus.Reads.LINEARIZABLE, ByConsensus.Log.MEMORY);

  /** By time; all replicas execute every update. */
  ByTime EVENTUAL = new ByTime(100, 100, false, false);

  /** Whether a primary keeps the state with all its backups. */
  boolean isByPrimary();

  /**
   * By the time that requests are stamped with: replicas take them as they come, and come to the
   * same state by gossip.
   *
   * @param gossipIntervalMillis the time between two rounds that a replica starts
   * @param idleGossipMillis the same while nothing waits at the replica; at least as long
   * @param executesAny whether one replica, any, executes a call and the others apply what it
   *     wrote; else all execute it
   * @param adopts whether, of two replicas that each lack what the other has, the one with fewer
   *     updates gives its own up (Tempest, section 3.2); else both keep everything
   */
  record ByTime(int gossipIntervalMillis, int idleGossipMillis, boolean executesAny, boolean adopts)
      implements Order {
    @Override
    public boolean isByPrimary() {
      return false;
    }

    /** The same with other intervals. */
    public ByTime withGossipMillis(int intervalMillis, int idleMillis) {
      return new ByTime(intervalMillis, idleMillis, executesAny, adopts);
    }

    /** The same with calls that are executed by any replica, or by all. */
    public ByTime withExecutesAny(boolean any) {
      return new ByTime(gossipIntervalMillis, idleGossipMillis, any, adopts);
    }

    /** The same with replicas that give up what others lack, or keep it. */
    public ByTime withAdopts(boolean gives) {
      return new ByTime(gossipIntervalMillis, idleGossipMillis, executesAny, gives);
    }
  }

  /**
   * By a log on which a majority of the replicas agrees: updates and reads are linearizable. All
   * replicas of the {@link Placement#size} have to be there once, to found the group.
   *
   * @param executes which replicas execute an update
   * @param reads what reads show, of the replica that is asked
   * @param log where each replica keeps what it agrees to
   * @param quorum how many have to have an update before it counts; with {@link Quorum#ALL} a
   *     primary and its backups
   * @param ballots who gives an update its place
   */
  record ByConsensus(Executes executes, Reads reads, Log log, Quorum quorum, Ballots ballots)
      implements Order {
    /** With fewer there is no majority any more that chooses a primary, once one has ended. */
    public static final int MEMBERS_WITH_PRIMARY = 3;

    /** The primary's, and that of one backup. */
    private static final int COPIES_BY_PRIMARY = 2;

    /**
     * Refuses leases of a primary: who succeeds it does not wait for their end. And votes where not
     * all execute, in memory, or members read alone.
     */
    public ByConsensus {
      if (quorum == Quorum.ALL && (reads == Reads.LEASE || reads == Reads.LOCAL)) {
        throw new IllegalArgumentException("a primary has no lease");
      }
      boolean isAlone = reads == Reads.LEASE || reads == Reads.LOCAL;
      if (ballots == Ballots.FAST
          && (executes != Executes.ALL
              || log != Log.MEMORY
              || quorum != Quorum.MAJORITY
              || isAlone)) {
        throw new IllegalArgumentException(
            "fast ballots are for services that all servers execute, with logs in memory and reads"
                + " that are linearizable, session or stale");
      }
    }

    /** The leader gives updates their places. */
    public ByConsensus(Executes executes, Reads reads, Log log, Quorum quorum) {
      this(executes, reads, log, quorum, Ballots.CLASSIC);
    }

    /** By a majority. */
    public ByConsensus(Executes executes, Reads reads, Log log) {
      this(executes, reads, log, Quorum.MAJORITY);
    }

    @Override
    public boolean isByPrimary() {
      return quorum == Quorum.ALL;
    }

    /** The same with logs that are kept there; but for a primary, which keeps none. */
    public ByConsensus withLog(Log where) {
      return isByPrimary() ? this : new ByConsensus(executes, reads, where, quorum, ballots);
    }

    /** How many replicas have a copy of the state, of so many members. */
    public int copies(int members) {
      return isByPrimary() ? Math.min(COPIES_BY_PRIMARY, members) : members;
    }

    /** The same whose members vote for the places of updates, or do not. */
    public ByConsensus withBallots(Ballots which) {
      return new ByConsensus(executes, reads, log, quorum, which);
    }

    /** Whether members vote for the places of updates. */
    public boolean isFast() {
      return ballots == Ballots.FAST;
    }

    /** Whether a replica outlives its process. */
    public boolean stores() {
      return log != Log.MEMORY;
    }

    /** Which replicas execute an update. */
    public enum Executes {
      /** The leader; the others apply what it wrote. */
      LEADER,
      /**
       * One of them, any, on what it knows; the leader sees whether that counts, and the others
       * apply it.
       */
      ANY,
      /** All. */
      ALL
    }

    /** Who gives an update its place. */
    public enum Ballots {
      /** The leader. */
      CLASSIC,
      /** The members, who vote for updates as they come, while these come to all alike. */
      FAST
    }

    /** Where a replica keeps what it agrees to. */
    public enum Log {
      /** Nowhere but in its process. */
      MEMORY,
      /** On its disk, before it says so. */
      DISK,
      /** In the memory of its machine while no member is missing, else on its disk. */
      ADAPTIVE
    }

    /** What a read shows of the updates that ended before it began. */
    public enum Reads {
      /** All: a majority says how long its logs are. */
      LINEARIZABLE,
      /** All: the leader knows alone, as long as a majority follows nobody else. */
      LEASE,
      /**
       * All: each member knows alone, as long as the leader lets it, and commits nothing that it
       * has not accepted.
       */
      LOCAL,
      /** All that the client says that it has seen. */
      SESSION,
      /** Those that are known to the replica. */
      STALE
    }
  }
}
