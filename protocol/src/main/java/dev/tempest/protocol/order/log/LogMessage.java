package dev.tempest.protocol.order.log;

import java.util.List;

/**
 * What the replicas of one group say to each other. Any of them may be lost, come late, or come
 * twice. The length of a log is the number of its slots: its next entry gets that slot.
 */
public sealed interface LogMessage {
  /** By which ballot it speaks, or of which. */
  Ballot ballot();

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }

  /** What a leader says, or who is about to lead. */
  sealed interface OfLeader extends LogMessage {}

  /** What it is answered. */
  sealed interface ToLeader extends LogMessage {}

  /** Asks whether a replica would follow this ballot, before anybody is disturbed by it. */
  record PreVote(Ballot ballot) implements LogMessage {}

  /** It would: it knows no leader that works. */
  record PreVoted(Ballot ballot) implements LogMessage {}

  /** Asks a replica to follow no lower ballot any more. */
  record Prepare(Ballot ballot) implements OfLeader {}

  /**
   * It follows none, and this is the log that it has accepted.
   *
   * @param accepted the ballot of the leader from which it has its log
   * @param committed how much of its log is known to be committed
   * @param members who agrees on what comes next, by that log
   */
  record Promise(Ballot ballot, Ballot accepted, long length, long committed, List<Long> members)
      implements ToLeader {
    /** Keeps a copy. */
    public Promise {
      check(0 <= committed && committed <= length, "no log has more committed than it has");
      members = List.copyOf(members);
    }
  }

  /** It follows a higher ballot, this one. */
  record Rejected(Ballot ballot) implements LogMessage {}

  /** Asks one that has promised for what the new leader lacks of its log. */
  record Fetch(Ballot ballot, long from) implements OfLeader {
    /** Refuses what no log has. */
    public Fetch {
      check(from >= 0, "slots count from 0");
    }
  }

  /** Some of that. */
  record Fetched(Ballot ballot, long from, List<Entry> entries) implements ToLeader {
    /** Keeps a copy. */
    public Fetched {
      check(from >= 0, "slots count from 0");
      entries = List.copyOf(entries);
    }
  }

  /**
   * Some of the log with which a leader began, for one that has promised and had another log.
   *
   * @param base up to here its log is the same
   * @param whole how long it has to be until it may count as accepted: what is shorter may lack
   *     committed entries that it had before
   */
  record Sync(Ballot ballot, long base, long whole, long from, List<Entry> entries)
      implements OfLeader {
    /** Keeps a copy. */
    public Sync {
      check(0 <= base && base <= from && from <= whole, "from what is the same to the whole log");
      entries = List.copyOf(entries);
    }
  }

  /** So much of that is there; none of it counts yet. */
  record Synced(Ballot ballot, long length) implements ToLeader {}

  /**
   * The next entries for one that has the log of this ballot; without entries, a sign of life.
   *
   * @param committed how much of the log is committed
   */
  record Accept(Ballot ballot, long from, List<Entry> entries, long committed) implements OfLeader {
    /** Keeps a copy. */
    public Accept {
      check(from >= 0 && committed >= 0, "slots count from 0");
      entries = List.copyOf(entries);
    }
  }

  /** It has accepted the log of this ballot up to this length. */
  record Accepted(Ballot ballot, long length) implements ToLeader {}
}
