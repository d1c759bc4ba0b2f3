package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the replicas of one group say to each other. Any of them may be lost, come late, or come
 * twice. The length of a log is the number of its slots: its next entry gets that slot.
 */
public sealed interface LogMessage {
  /** Of the agreement itself. */
  sealed interface OfBallot extends LogMessage {
    /** By which ballot it speaks, or of which. */
    Ballot ballot();
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }

  /** What a leader says, or who is about to lead. */
  sealed interface OfLeader extends OfBallot {}

  /** What it is answered. */
  sealed interface ToLeader extends OfBallot {}

  /**
   * What binds its sender, whatever happens to its process: who keeps its log on a disk says it
   * once what it says is there.
   */
  sealed interface Vow extends OfBallot {}

  /** What a log on a disk consists of: what was promised, and what was accepted. */
  sealed interface Stored extends OfLeader {}

  /**
   * Asks whether a replica would follow this ballot, before anybody is disturbed by it.
   *
   * @param accepted the ballot of the leader from which who asks has its log
   * @param length how long that is
   * @param committed how much of it is the same as in any other log, for good
   */
  record PreVote(Ballot ballot, Ballot accepted, long length, long committed) implements Vow {
    /** Refuses what no log is. */
    public PreVote {
      check(committed >= 0 && length >= committed, "a log has a length");
    }
  }

  /** It would: it knows no leader that works, nor anything against this one. */
  record PreVoted(Ballot ballot) implements OfBallot {}

  /** Asks a replica to follow no lower ballot any more, as who asks does not. */
  record Prepare(Ballot ballot) implements Vow, Stored {}

  /**
   * It follows none, and this is the log that it has accepted.
   *
   * @param accepted the ballot of the leader from which it has its log
   * @param start the first slot that it has; what lies below is in its state
   * @param committed how much of its log is known to be committed
   * @param members who agrees on what comes next, by that log
   */
  record Promise(
      Ballot ballot, Ballot accepted, long start, long length, long committed, List<Long> members)
      implements ToLeader, Vow {
    /** Keeps a copy. */
    public Promise {
      check(
          0 <= start && start <= committed && committed <= length,
          "a log begins with what is committed, and has no more committed than it has");
      check(!ballot.isBelow(accepted), "what was accepted was promised");
      members = List.copyOf(members);
    }
  }

  /**
   * It follows a higher ballot, this one. Where a primary leads, also: this is the ballot of the
   * latest view that is known here; and from its primary, to who has no copy, that none is missing.
   */
  record Rejected(Ballot ballot) implements OfBallot {}

  /** Asks one that has promised for what the new leader lacks of its log. */
  record Fetch(Ballot ballot, long from) implements OfLeader {
    /** Refuses what no log has. */
    public Fetch {
      check(from >= 0, "slots count from 0");
    }
  }

  /** Some of that. */
  record Fetched(Ballot ballot, long from, List<SlotEntry> entries) implements ToLeader {
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
   * @param isState whether it is not, and what lies below is to be had only as a state
   * @param whole how long it has to be until it may count as accepted: what is shorter may lack
   *     committed entries that it had before
   */
  record Sync(
      Ballot ballot, long base, boolean isState, long whole, long from, List<SlotEntry> entries)
      implements OfLeader {
    /** Keeps a copy. */
    public Sync {
      check(
          0 <= base && base <= from && from <= whole - entries.size(),
          "from what is the same to the whole log");
      entries = List.copyOf(entries);
    }

    /** The sign of life that comes after it. */
    public Sync withoutEntries() {
      return entries.isEmpty()
          ? this
          : new Sync(ballot, base, isState, whole, from + entries.size(), List.of());
    }
  }

  /** So much of that is there; none of it counts yet. */
  record Synced(Ballot ballot, long length) implements ToLeader {}

  /**
   * The next entries for one that has the log of this ballot; without entries, a sign of life.
   *
   * @param committed how much of the log is committed
   * @param isHeld whether the leader has accepted them: they are committed once another one has as
   *     well, if these two are a majority. Not if it has yet to store them
   */
  record Accept(Ballot ballot, long from, List<SlotEntry> entries, long committed, boolean isHeld)
      implements Stored {
    /** Keeps a copy. */
    public Accept {
      check(from >= 0 && committed >= 0, "slots count from 0");
      entries = List.copyOf(entries);
    }

    /** The sign of life that comes after it. */
    public Accept withoutEntries() {
      return entries.isEmpty()
          ? this
          : new Accept(ballot, from + entries.size(), List.of(), committed, isHeld);
    }
  }

  /** It has accepted the log of this ballot up to this length. */
  record Accepted(Ballot ballot, long length) implements ToLeader, Vow {}

  /** The next entries; and whoever has them with it is to answer those who asked for them. */
  record Tell(Accept accept) implements LogMessage {}

  /**
   * It has accepted them, which makes them committed, and answered all who asked for them.
   *
   * @param from for those from this slot on
   */
  record Told(Accepted accepted, long from) implements LogMessage {
    /** Refuses what no log has. */
    public Told {
      check(from >= 0, "slots count from 0");
    }

    /** Whether a slot is one of those. */
    public boolean covers(long slot) {
      return slot >= from && slot < accepted.length();
    }
  }

  /**
   * Asks whoever follows this ballot to follow no other one for a while.
   *
   * @param number names the question, of those of one leader: that knows when it asked it
   */
  record LeaseRequest(Ballot ballot, long number) implements OfLeader {}

  /** It will not, from now on for as long as it is patient with a silent leader. */
  record Lease(Ballot ballot, long number) implements ToLeader {}

  /**
   * It will not, and wants to read alone meanwhile.
   *
   * @param number of the question
   * @param since when it says so, by its own clock
   */
  record LeaseWish(Ballot ballot, long number, long since) implements ToLeader {}

  /**
   * It may read alone: nothing is committed that it has not accepted.
   *
   * @param since from then on, by the clock of who wished that
   * @param nanos for so long by the clock of the leader
   */
  record ReadLease(Ballot ballot, long since, long nanos) implements OfLeader {
    /** Refuses what no lease is. */
    public ReadLease {
      check(nanos > 0, "a lease has a length");
    }
  }

  /** It follows this ballot, and what it has promised or accepted may not be stored yet. */
  record Stores(Ballot ballot) implements ToLeader {}

  /** Of the periods of a ballot, in some of which members vote. */
  sealed interface OfPeriods extends OfBallot {}

  /**
   * From one slot of a leader's log on, another period: members vote for updates as they come, or
   * the leader alone proposes. All that was chosen in earlier ones lies before it.
   *
   * @param number counts the periods of the ballot, from 1
   * @param isFast whether members vote; then all before it is committed
   * @param inLogs so much a majority has in its logs: it is there without votes
   */
  record Period(Ballot ballot, long number, long start, boolean isFast, long inLogs)
      implements OfLeader, OfPeriods {
    /** Refuses what no log has. */
    public Period {
      check(number >= 1 && start >= 1, "periods count from 1, and begin with what is committed");
      check(inLogs >= 0, "slots count from 0");
    }
  }

  /**
   * A member has voted in a period.
   *
   * @param end for the entries of the period before this slot
   * @param hash of these
   */
  record Vote(Ballot ballot, long period, long end, long hash) implements ToLeader, OfPeriods {
    /** Refuses what no log has. */
    public Vote {
      check(period >= 1 && end >= 1, "periods count from 1, and slots from 0");
    }
  }

  /** Asks a member to vote no more in a period. */
  record Close(Ballot ballot, long period) implements OfLeader, OfPeriods {
    /** Refuses what is no period. */
    public Close {
      check(period >= 1, "periods count from 1");
    }
  }

  /**
   * What a member has voted for beyond the log that it has accepted.
   *
   * @param from how long its log is
   * @param hash of that log, as in {@link LogPoint#hash}
   */
  record VotesBeyond(long from, long hash, List<SlotEntry.Called> entries) {
    /** Keeps a copy. */
    public VotesBeyond {
      check(from >= 0, "slots count from 0");
      entries = List.copyOf(entries);
    }
  }

  /** It votes no more in that, and has voted for this; in an earlier one if it came late. */
  record Closed(Ballot ballot, long period, VotesBeyond votes) implements ToLeader, OfPeriods {
    /** Refuses what is no period. */
    public Closed {
      check(period >= 1, "periods count from 1");
    }
  }

  /** A promise of one that has voted, and for what, all at one moment. */
  record VotedPromise(Promise promise, VotesBeyond votes) implements ToLeader, Vow, OfPeriods {
    @Override
    public Ballot ballot() {
      return promise.ballot();
    }
  }

  /** Of the foundation of a group, by all who are to be its first members. */
  sealed interface OfFoundation extends LogMessage {}

  /**
   * Asks each of these to be a member of a group that is to be founded.
   *
   * @param round which attempt of its sender this is, from 1
   */
  record Found(long round, List<Long> members) implements OfFoundation {
    /** Keeps a copy. */
    public Found {
      check(round >= 1, "rounds count from 1");
      members = List.copyOf(members);
    }
  }

  /** It is a member of no group, and forgets all who asked before. */
  record Joins(long round) implements OfFoundation {
    /** Refuses what nobody asked. */
    public Joins {
      check(round >= 1, "rounds count from 1");
    }
  }

  /** All have said so: the group is founded. */
  record Founded(long round, List<Long> members) implements OfFoundation {
    /** Keeps a copy. */
    public Founded {
      check(round >= 1, "rounds count from 1");
      members = List.copyOf(members);
    }
  }

  /** Which replica a process is that has come back with the log of an earlier one. */
  sealed interface OfSeats extends LogMessage {}

  /** Its sender goes on as this replica, and says nothing else until it is welcome. */
  record ComesBack(long replica) implements OfSeats {}

  /** What this process says from now on is said by the replica that it goes on as. */
  record Welcome(long process) implements OfSeats {}

  /** Its sender is about to end: the others are to go on without it. */
  record Leaves() implements LogMessage {}

  /** Its sender misses a member: what is said is to be on the disk, by all who may wait. */
  record Misses() implements LogMessage {}

  /** Of reads. */
  sealed interface OfReads extends LogMessage {
    /** Names the question. */
    long number();
  }

  /** Asks how long a replica's log is. */
  record LengthRequest(long number) implements OfReads {}

  /** Says it: all that was ever committed with the help of its sender is in there. */
  record Length(long number, long length) implements OfReads {
    /** Refuses what no log has. */
    public Length {
      check(length >= 0, "slots count from 0");
    }
  }

  /** Of actions that were executed away from the leader. */
  sealed interface OfActions extends LogMessage {
    /** The ballot of the leader that is asked, or answers. */
    Ballot ballot();

    /** The number of the first action, of those of one replica. */
    long first();
  }

  /**
   * An action that its replica has executed on a state of its own.
   *
   * @param footprint what it touched
   * @param change what it wrote
   * @param asked whose update it is; null for one of the process itself
   */
  record Action(Bytes footprint, Bytes change, @Nullable Asked asked) {}

  /**
   * What of an update stands in the log, beside what it wrote.
   *
   * @param stamp about when its client asked for it first
   * @param answeredBelow as the client says
   * @param answer what its client is to be answered
   */
  record Asked(RequestId id, long stamp, long answeredBelow, Answer answer) {
    /** Refuses an answer to what was not executed. */
    public Asked {
      if (answer instanceof Answer.Refused) {
        throw new IllegalArgumentException("what was refused was not executed: " + answer);
      }
    }
  }

  /**
   * Asks a leader to put actions into the log, each one if what it touched is as it was; no other
   * leader may. They were executed one after the other, each seeing those before.
   *
   * @param base they saw all slots below; and what their replica wrote
   */
  record Offer(Ballot ballot, long first, long base, List<Action> actions) implements OfActions {
    /** The most actions in one. */
    public static final int ACTIONS_MAX = 1_024;

    /** Keeps a copy. */
    public Offer {
      check(first >= 1 && base >= 0, "actions count from 1, and slots from 0");
      check(first <= Long.MAX_VALUE - ACTIONS_MAX, "nobody has executed so many actions");
      actions = List.copyOf(actions);
      check(
          !actions.isEmpty() && actions.size() <= ACTIONS_MAX,
          "an offer has 1 to %d actions".formatted(ACTIONS_MAX));
    }
  }

  /**
   * Which of them are in the log of this leader.
   *
   * @param through once so much is committed, those are; they are not if another one leads before
   * @param refused the numbers of the others: what they touched has changed, or may have; they can
   *     be executed again
   * @param failed the number of one of these that can never be put into the log; 0 if there is none
   * @param why it cannot; else empty
   */
  record Certified(
      Ballot ballot, long first, long through, IntervalSet refused, long failed, String why)
      implements OfActions {
    /** Refuses what no leader says. */
    public Certified {
      check(first >= 1 && through >= 0, "actions count from 1, and slots from 0");
      check(failed == 0 || refused.contains(failed), "what failed is refused");
    }
  }

  /** Of the state with which a log begins. */
  sealed interface OfState extends LogMessage {}

  /** Asks for a piece of the state with which a log begins at a slot. */
  record StateWish(long slot, Wish wish) implements OfState {
    /** Refuses what no log has. */
    public StateWish {
      check(slot >= 0, "slots count from 0");
    }
  }

  /** A piece of that state. */
  record StatePart(LogPoint point, Piece piece) implements OfState {}
}
