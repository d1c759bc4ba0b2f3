package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogMessage.VotesBeyond;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica has promised and accepted (Lamport; Zhang, chapter VI). A log is accepted as a
 * whole: of two that were accepted by the same ballot, one begins with the other; so a committed
 * entry is in the one of the highest ballot that any majority has, and of these in the longest.
 */
public final class Acceptor {
  /** The log of a new leader, as far as it has come. It counts when it is whole. */
  private static final class Coming {
    final long base;
    final boolean isState;
    final List<SlotEntry> entries = new ArrayList<>();

    /** The state with which it begins, once that is here. */
    @Nullable LogPoint point;

    Coming(long base, boolean isState) {
      this.base = base;
      this.isState = isState;
    }

    long length() {
      return base + entries.size();
    }

    boolean lacksState() {
      return isState && point == null;
    }

    boolean isOf(LogMessage.Sync sync) {
      return base == sync.base() && isState == sync.isState();
    }
  }

  private final Log log = new Log();
  private final Votes votes = new Votes(log);
  private Ballot promised = Ballot.NONE;
  private Ballot accepted = Ballot.NONE;
  private @Nullable Coming coming;

  /** The state in place of which the log begins now, until that is taken over. */
  private @Nullable LogPoint installed;

  /** What was promised and accepted when that was stored last, and from where on others stand. */
  private Ballot storedPromise = Ballot.NONE;

  private Ballot storedAccept = Ballot.NONE;
  private long unstoredFrom;

  /** So much a majority has had in its logs, of a group that votes. */
  private long inLogs;

  /** The latest ballot of which it is known that its beginning is committed. */
  private Ballot begun = Ballot.NONE;

  /** Of a replica that has promised and accepted nothing. */
  Acceptor() {}

  /**
   * With all that was stored.
   *
   * @param point of the state in which what lies before it is; null for none
   * @throws MalformedException if some of it is missing
   */
  public static Acceptor restored(@Nullable LogPoint point, List<LogMessage.Stored> records) {
    Acceptor restored = new Acceptor();
    if (point != null) {
      restored.log.restart(point);
    }
    records.forEach(restored::again);
    if (restored.promised.isBelow(restored.accepted)) {
      throw new MalformedException("what was promised is missing in it");
    }
    restored.storedPromise = restored.promised;
    restored.storedAccept = restored.accepted;
    restored.unstoredFrom = restored.log.length();
    return restored;
  }

  private void again(LogMessage.Stored record) {
    switch (record) {
      case LogMessage.Prepare prepare -> promised = prepare.ballot();
      case LogMessage.Accept(var ballot, var from, var entries, var committed, var isHeld) -> {
        long missing = Math.max(0, from - log.length());
        if (missing > 0) {
          throw new MalformedException(
              "it lacks %d entries before slot %d".formatted(missing, from));
        }
        long known = Math.clamp(log.start() - from, 0, entries.size());
        log.replace(Math.max(from, log.start()), entries.subList((int) known, entries.size()));
        accepted = ballot; // What of it is committed, a leader says.
      }
    }
  }

  /** What is to be stored by now, and was not yet. */
  List<LogMessage.Stored> takeUnstored() {
    List<LogMessage.Stored> records = new ArrayList<>(2);
    if (!promised.equals(storedPromise)) {
      records.add(new LogMessage.Prepare(promised));
      storedPromise = promised;
    }
    if (!accepted.equals(storedAccept) || unstoredFrom < log.length()) {
      Invariant.check(unstoredFrom >= log.start(), "what is dropped was stored");
      List<SlotEntry> entries = log.from(unstoredFrom, Long.MAX_VALUE, Integer.MAX_VALUE);
      records.add(new LogMessage.Accept(accepted, unstoredFrom, entries, log.committed(), false));
      storedAccept = accepted;
      unstoredFrom = log.length();
    }
    return records;
  }

  /** Whether all before a slot has been taken to be stored. */
  boolean hasToldOf(long slot) {
    return unstoredFrom >= slot;
  }

  /** All from one slot on is replaced by these. */
  private void replace(long from, List<SlotEntry> entries) {
    log.replace(from, entries);
    unstoredFrom = Math.min(unstoredFrom, from);
  }

  Log log() {
    return log;
  }

  Votes votes() {
    return votes;
  }

  /** Whether it may vote for what comes next. */
  boolean isVoting(Group group) {
    return votes.isOpen()
        && isWhole()
        && log.committed() == log.length() // What is not could be another.
        && !votes.areFull(group);
  }

  /** A majority has so much in its logs. */
  void majorityHas(long length) {
    inLogs = Math.max(inLogs, length);
  }

  /**
   * How much a majority has in its logs, as far as is known here: all that is committed, while the
   * leader opens no periods.
   */
  long inLogs() {
    boolean isClassic = votes.isUnheardOf() && isWhole() && begun.equals(promised);
    return isClassic ? log.committed() : inLogs;
  }

  /** The beginning of a ballot is committed, and so is all before it, by a majority's logs. */
  void hasBegun(Ballot ballot) {
    begun = ballot;
  }

  /** It puts one more entry of its leader into its log. */
  void add(SlotEntry entry) {
    log.add(entry);
    votes.added(entry);
  }

  /** What it has voted for before a slot is chosen. */
  void choose(long end) {
    if (end > log.length()) {
      votes.before(end).forEach(this::add);
      log.commit(end);
    }
  }

  /** It follows no lower one. */
  Ballot promised() {
    return promised;
  }

  /** Whether nobody has ever told it of a group. */
  boolean isFresh() {
    return log.length() == 0 && promised.equals(Ballot.NONE);
  }

  /** The group begins with these members. Nobody can have another first entry. */
  void found(SlotEntry.Members members) {
    Invariant.check(isFresh(), "a group is founded once");
    log.add(members);
    log.commit(1);
  }

  /** It follows this ballot from now on, or did already. */
  void promise(Ballot ballot) {
    Invariant.check(!ballot.isBelow(promised), "nobody goes back to a lower ballot");
    if (!ballot.equals(promised)) {
      promised = ballot;
      coming = null;
      votes.stop();
    }
  }

  /** What to say to the leader that it follows; null for nothing. */
  @Nullable LogMessage answer(LogMessage.OfLeader said, Group group) {
    return switch (said) {
      case LogMessage.Prepare prepare ->
          votes.isEmpty() ? promise() : new LogMessage.VotedPromise(promise(), votes.all());
      case LogMessage.Fetch(var ballot, var from) ->
          new LogMessage.Fetched(
              ballot, from, log.from(from, group.batchMax(), group.batchMaxBytes()));
      case LogMessage.Sync sync -> sync(sync);
      case LogMessage.Accept accept -> accept(accept, group);
      case LogMessage.LeaseRequest(var ballot, var number) -> new LogMessage.Lease(ballot, number);
      case LogMessage.ReadLease lease -> null;
      case LogMessage.Period period -> begin(period, group);
      case LogMessage.Close(var ballot, long period) -> close(period);
    };
  }

  private LogMessage.@Nullable Vote begin(LogMessage.Period period, Group group) {
    majorityHas(period.inLogs());
    if (group.isFast() && isWhole() && log.members().contains(group.self())) {
      votes.begin(period);
    }
    return isWhole() && votes.isOpen() && !votes.isEmpty() ? votes.vote(promised) : null;
  }

  private LogMessage.@Nullable Closed close(long period) {
    if (!isWhole()) {
      return null; // It would vote when it is.
    }
    votes.close(period);
    return new LogMessage.Closed(promised, period, votes.all());
  }

  /** What it has promised, and what it had accepted before. */
  LogMessage.Promise promise() {
    return new LogMessage.Promise(
        promised, accepted, log.start(), log.length(), log.committed(), log.members());
  }

  /** Asks others whether they would follow a ballot of this replica. */
  LogMessage.PreVote canvass(Ballot ballot) {
    return new LogMessage.PreVote(ballot, accepted, log.length(), log.committed());
  }

  /**
   * Whether who asks may come to lead with what is known here: not if its log is earlier, and by
   * the one here it is no member, or lacks what is in a state. It would ask again and again, and
   * keep those from leading who can.
   */
  boolean couldBeLedBy(long candidate, LogMessage.PreVote asked) {
    int order = asked.accepted().compareTo(accepted);
    boolean isEarlier = order < 0 || (order == 0 && asked.length() < log.length());
    long same = order == 0 ? asked.length() : asked.committed(); // From there on it takes this one.
    return !isEarlier || (log.members().contains(candidate) && same >= log.start());
  }

  /** Takes over the log of another one. */
  void take(long from, List<SlotEntry> entries) {
    replace(from, entries);
  }

  /**
   * Begins to lead by the ballot that it has promised.
   *
   * @param chosen may have been, beyond its log
   * @param members that it begins with; none for those that the log says
   */
  void lead(List<SlotEntry.Called> chosen, List<Long> members) {
    votes.startOver();
    chosen.forEach(log::add);
    accepted = promised;
    log.add(new SlotEntry.Begun(promised));
    if (!members.isEmpty()) {
      log.add(new SlotEntry.Members(members));
    }
  }

  /** Whether it has the log with which the leader began that it follows. */
  boolean isWhole() {
    return accepted.equals(promised);
  }

  private @Nullable LogMessage sync(LogMessage.Sync sync) {
    if (isWhole() && !(sync.isState() && sync.base() > log.length())) {
      return new LogMessage.Accepted(promised, log.length());
    }
    if (sync.base() < log.committed() || (!sync.isState() && sync.base() > log.length())) {
      return null; // That is no log of its own.
    }
    Coming has = coming;
    if (has == null || !has.isOf(sync)) {
      has = new Coming(sync.base(), sync.isState());
      coming = has;
    }
    if (sync.from() >= has.base && sync.from() <= has.length()) {
      List<SlotEntry> entries = sync.entries();
      long known = Math.min(has.length() - sync.from(), entries.size());
      has.entries.addAll(entries.subList((int) known, entries.size()));
    }
    if (has.length() < sync.whole() || has.lacksState()) {
      return new LogMessage.Synced(promised, has.length());
    }
    VotesBeyond voted = isWhole() ? votes.all() : null;
    if (has.point != null) {
      log.restart(has.point);
      installed = has.point;
      unstoredFrom = has.base;
    }
    replace(has.base, has.entries);
    if (voted != null) {
      votes.skip(voted); // The same log, whose beginning is in a state.
    } else {
      votes.startOver();
    }
    accepted = promised;
    coming = null;
    return new LogMessage.Accepted(promised, log.length());
  }

  private LogMessage.@Nullable Accepted accept(LogMessage.Accept accept, Group group) {
    if (!isWhole()) {
      return null; // It does not have the log before it.
    }
    List<SlotEntry> entries = accept.entries();
    if (accept.from() <= log.length()) {
      long known = Math.min(log.length() - accept.from(), entries.size());
      entries.subList((int) known, entries.size()).forEach(this::add);
    }
    boolean isEnough = accept.isHeld() && isEnoughWithLeader(group);
    log.commit(isEnough ? log.length() : accept.committed());
    return new LogMessage.Accepted(promised, log.length());
  }

  /**
   * Whether what it and its leader have is committed, and what it accepts it need not store first.
   */
  private boolean isEnoughWithLeader(Group group) {
    return !group.stores()
        && group.quorum().accepts(List.of(group.self(), promised.replica()), log.members());
  }

  /** At which slot the log begins that it takes over with a state; -1 if it takes none. */
  long takesStateAt() {
    return coming != null && coming.isState ? coming.base : -1;
  }

  /** How far the log reaches that is here, or that of a new leader as far as it has come. */
  long reach() {
    return coming == null ? log.length() : coming.length();
  }

  /** The state is here. It counts once the log that follows it is whole. */
  void stateIsHere(LogPoint point) {
    if (coming != null && coming.lacksState() && coming.base == point.slot()) {
      coming.point = point;
    }
  }

  /** The state in whose place the log begins from now on: told once; null if there is none. */
  @Nullable LogPoint takeInstalled() {
    LogPoint point = installed;
    installed = null;
    return point;
  }

  void checkInvariants() {
    Invariant.check(!promised.isBelow(accepted), "what was accepted was promised");
    Invariant.check(log.committed() <= log.length(), "what is committed is there");
    Invariant.check(log.start() <= log.committed(), "what is dropped was committed");
    votes.checkInvariants();
  }
}
