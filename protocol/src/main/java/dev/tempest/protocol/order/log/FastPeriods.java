package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogMessage.VotesBeyond;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The periods of a leader's ballot in which members vote for updates as they come (Lamport, Fast
 * Paxos; Zhang, chapter V): what a fast quorum has voted for is chosen, and clients know it after
 * two message delays. If votes differ, or some are missing for too long, or there is something to
 * propose that goes another way, the period is closed: a classic quorum votes no more in it, and
 * what a fast one may have chosen is put into the log. Then the leader proposes, as it does where
 * nobody votes, until another period is opened.
 *
 * <p>Not thread-safe.
 */
final class FastPeriods {
  private enum State {
    /** The leader proposes. */
    CLASSIC,
    /** Members vote. */
    OPEN,
    /** They are asked to vote no more. */
    CLOSING
  }

  /** Another one is opened after so many heartbeats at least. */
  private static final int PAUSE_HEARTBEATS = 2;

  private static final int DOUBLINGS_MAX = 6;

  /**
   * If a period is closed before so many heartbeats, the next pause is twice as long, else half.
   */
  private static final int LASTS_HEARTBEATS = 16;

  /** For so long others may take for what the leader has executed. */
  private static final int PATIENCE_ELECTIONS = 20;

  private final Group group;
  private final Ballot ballot;
  private final Acceptor acceptor;
  private final Followers followers;
  private State state = State.CLASSIC;

  /** The number of the latest one. */
  private long period;

  private long start;

  /** What was voted for at the last heartbeat has to be chosen by the next one. */
  private long awaited;

  /** Until then nobody's votes are missed: they may take as long as the leader did. */
  private long patientUntilNanos;

  /** Somebody waits until what was voted for before that is committed. */
  private long hurriedThrough;

  /** How often the pause was doubled. */
  private int doublings;

  private long openedNanos;
  private long dueNanos;

  FastPeriods(Group group, Acceptor acceptor, Followers followers, long nowNanos) {
    this.group = group;
    this.acceptor = acceptor;
    this.ballot = acceptor.promised();
    this.followers = followers;
    this.dueNanos = nowNanos;
  }

  /** Whether the leader proposes, and all that may have been chosen before is committed. */
  boolean mayPropose() {
    return state == State.CLASSIC && acceptor.log().committed() >= start;
  }

  /** Whether one may be opened once nothing is under way. */
  boolean areDue(long nowNanos) {
    return group.isFast() && state == State.CLASSIC && nowNanos >= dueNanos;
  }

  /** Opens one, if all is committed and enough members are there. */
  void open(long nowNanos, List<Effect> effects) {
    Log log = acceptor.log();
    boolean isQuiet = log.committed() == log.length() && log.committed() >= start;
    if (!areDue(nowNanos) || !isQuiet || !log.isSettled() || !areThere(nowNanos)) {
      return;
    }
    state = State.OPEN;
    openedNanos = nowNanos;
    awaited = 0;
    followers.all().forEach(Follower::forgetVotes);
    begin(true, effects);
  }

  private boolean areThere(long nowNanos) {
    List<Long> members = acceptor.log().members();
    long length = acceptor.log().length();
    return members.contains(group.self()) && areEnough(nowNanos, each -> each.has == length);
  }

  /** Whether so many as choose were heard lately, and this is so of them. */
  private boolean areEnough(long nowNanos, Predicate<Follower> of) {
    List<Long> members = acceptor.log().members();
    long since = nowNanos - group.electionNanos();
    var there = followers.with(each -> each.silentNanos > since && of.test(each));
    long present = members.stream().filter(there::contains).count();
    return present >= group.quorum().voting(members.size());
  }

  private void begin(boolean isFast, List<Effect> effects) {
    period++;
    start = acceptor.log().length();
    acceptor.votes().begin(said(isFast));
    sayToMembers(said(isFast), effects);
  }

  private LogMessage.Period said(boolean isFast) {
    return new LogMessage.Period(ballot, period, start, isFast, acceptor.inLogs());
  }

  /** The leader begins, and proposes. */
  void begin(List<Effect> effects) {
    if (group.isFast()) {
      begin(false, effects);
    }
  }

  private void sayToMembers(LogMessage message, List<Effect> effects) {
    List<Long> members = acceptor.log().members();
    for (Follower each : followers.all()) {
      if (each.isWhole && members.contains(each.replica)) {
        Followers.send(each, message, effects);
      }
    }
  }

  /** Somebody waits until what was voted for is committed. */
  void hurry() {
    hurriedThrough = acceptor.votes().end();
  }

  /**
   * How long what is new in the log may wait to be sent: if it was voted for, clients know.
   *
   * @param sent the length of the log when it was sent last
   */
  long togetherNanos(long sent) {
    boolean areFew = acceptor.log().length() - sent < group.batchMax() / 2;
    return state == State.OPEN && sent >= hurriedThrough && areFew ? group.votesTogetherNanos() : 0;
  }

  /** It did not run for so long: it may have executed what the others do now. */
  void wasAway(long nanos, long nowNanos) {
    long mostNanos = PATIENCE_ELECTIONS * group.electionNanos();
    patientUntilNanos = nowNanos + Math.min(nanos, mostNanos);
  }

  /** The leader itself has voted. */
  void voted(long nowNanos, List<Effect> effects) {
    if (state == State.OPEN && (acceptor.log().members().size() == 1 || isBehind())) {
      choose(nowNanos, effects);
    }
  }

  /** Whether another one has voted for what the leader had not. */
  private boolean isBehind() {
    for (Follower each : followers.all()) {
      if (each.votedThrough > each.sameThrough) {
        return true;
      }
    }
    return false;
  }

  /** A member has voted. */
  void voted(Follower by, LogMessage.Vote vote, long nowNanos, List<Effect> effects) {
    if (state == State.OPEN && vote.period() == period && vote.end() > by.votedThrough) {
      by.votedThrough = vote.end();
      by.votedHash = vote.hash();
      choose(nowNanos, effects);
    }
  }

  /** What enough have voted for is put into the log; if they no longer can, that is a collision. */
  private void choose(long nowNanos, List<Effect> effects) {
    List<Long> members = acceptor.log().members();
    int needed = group.quorum().voting(members.size());
    followers.all().forEach(this::compare);
    long[] ends = members.stream().mapToLong(this::sameThrough).sorted().toArray();
    acceptor.choose(ends[ends.length - needed]);
    long differing = followers.all().stream().filter(each -> each.differs).count();
    if (members.size() - differing < needed) {
      close(nowNanos, effects);
    }
  }

  /** Compares the latest vote of another one with what the leader has, if it has as much. */
  private void compare(Follower follower) {
    Votes own = acceptor.votes();
    long end = follower.votedThrough;
    if (end > follower.sameThrough && end >= acceptor.log().length() && end <= own.end()) {
      if (own.hashAt(end) == follower.votedHash) {
        follower.sameThrough = end;
      } else {
        follower.differs = true;
      }
    }
  }

  /** Up to where a member is known to have voted for what the leader has. */
  private long sameThrough(long member) {
    Follower follower = followers.get(member);
    if (member == group.self()) {
      return acceptor.votes().end();
    }
    return follower == null ? 0 : follower.sameThrough;
  }

  /** Votes differ, or are missing, or the leader wants to propose. */
  void close(long nowNanos, List<Effect> effects) {
    if (state == State.OPEN) {
      state = State.CLOSING;
      boolean hasLasted = nowNanos - openedNanos >= LASTS_HEARTBEATS * group.heartbeatNanos();
      doublings = hasLasted ? Math.max(doublings - 1, 0) : Math.min(doublings + 1, DOUBLINGS_MAX);
      acceptor.votes().close(period);
      followers.all().forEach(each -> each.closed = null);
      sayToMembers(new LogMessage.Close(ballot, period), effects);
      recover(nowNanos, effects); // Alone it is a quorum.
    }
  }

  private long pauseNanos() {
    return (PAUSE_HEARTBEATS * group.heartbeatNanos()) << doublings;
  }

  /** Says again what may be lost. */
  void heartbeat(long nowNanos, List<Effect> effects) {
    boolean isMissing = awaited > acceptor.log().length() && nowNanos >= patientUntilNanos;
    if (state == State.OPEN && (isMissing || !areEnough(nowNanos, each -> true))) {
      close(nowNanos, effects);
    } else if (state == State.CLOSING) {
      sayToMembers(new LogMessage.Close(ballot, period), effects);
    } else if (period > 0) {
      sayToMembers(said(state == State.OPEN), effects);
    }
    if (state == State.CLASSIC && !mayPropose()) { // What is to be proposed gets its turn first.
      dueNanos = Math.max(dueNanos, nowNanos + PAUSE_HEARTBEATS * group.heartbeatNanos());
    }
    awaited = acceptor.votes().end();
    for (Follower each : followers.all()) {
      awaited = Math.max(awaited, each.votedThrough);
    }
  }

  /** A member votes no more. */
  void closed(Follower by, LogMessage.Closed said, long nowNanos, List<Effect> effects) {
    if (state == State.CLOSING && said.period() == period && by.closed == null) {
      by.closed = said.votes();
      recover(nowNanos, effects);
    }
  }

  /** Once a classic quorum votes no more, nothing else can be chosen. */
  private void recover(long nowNanos, List<Effect> effects) {
    List<Long> members = acceptor.log().members();
    var heard = followers.with(each -> each.closed != null);
    if (!group.quorum().accepts(heard, members)) {
      return;
    }
    List<VotesBeyond> votes = new ArrayList<>();
    votes.add(acceptor.votes().all());
    for (Follower each : followers.all()) {
      if (each.closed != null && members.contains(each.replica)) {
        votes.add(Objects.requireNonNull(each.closed));
      }
    }
    int needed = Chosen.needed(group, votes.size(), members.size());
    for (SlotEntry entry : Chosen.of(acceptor.log(), votes, needed)) {
      acceptor.add(entry);
    }
    state = State.CLASSIC;
    dueNanos = nowNanos + pauseNanos();
    begin(false, effects);
  }
}
