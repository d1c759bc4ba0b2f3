package dev.tempest.protocol.order.log;

import dev.tempest.wire.Ballot;
import dev.tempest.wire.GroupView;
import dev.tempest.wire.LogMessage;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One replica of a group that agrees on a log (Zhang, chapter VI: the basic protocol; Lamport's
 * Paxos, whose proposal is here a log that grows). Whatever is lost, late, doubled or stopped, no
 * two replicas commit different entries in one slot; while a majority of the latest members can
 * talk, entries are committed.
 *
 * <p>It remembers what it has promised and accepted, also in its next life if that is stored; a
 * process that does not is another replica, and no member.
 *
 * <p>Not thread-safe: its owner calls it from one thread at a time.
 */
public final class Consensus extends Agreement {
  private static final int FAILURES_MAX = 4;

  /** In turns that take longer a leader hears nobody, whoever may speak. */
  private static final int AWAY_HEARTBEATS = 2;

  /**
   * Who follows looks once in an election at least: so if more time has passed, it did not run, or
   * its clock was set ahead.
   */
  private static final int AWAY_ELECTIONS = 5;

  /** Nobody was away for so many elections: it is nonsense, and would leave no room for more. */
  private static final long BALLOTS_AHEAD_MAX = 1L << 32;

  private final SplittableRandom random;
  private final Patience patience;
  private final PreVotes preVotes = new PreVotes();

  /** What it has given while it led: until they end it follows nobody else. */
  private final ReadLeases given = new ReadLeases();

  /** What it was given. */
  private final OwnReadLease own;

  private List<Long> wanted = List.of();
  private List<Long> gone = List.of();
  private Ballot highest = Ballot.NONE;

  /** When a leader was heard, or somebody who is about to become one. */
  private long heardNanos;

  /** Until when it waits for one. */
  private long untilNanos;

  private long steppedNanos;

  /**
   * How often it could not begin, though a majority would have followed: then those who can wait
   * for less are to come before it.
   */
  private int failures;

  private boolean holdsBack;

  /** Until when it leads, if it holds back. */
  private long retiresNanos;

  /**
   * With an empty log, and a member of no group.
   *
   * @param seed 64 random bits
   */
  public Consensus(Group group, long seed, long nowNanos) {
    this(group, new Acceptor(), seed, nowNanos);
    heardNanos = nowNanos - group.electionNanos(); // It has heard nobody.
  }

  /** With what it had stored in an earlier life. */
  public Consensus(Group group, Acceptor restored, long seed, long nowNanos) {
    super(group, restored);
    this.random = new SplittableRandom(seed);
    this.patience = new Patience(group.electionNanos());
    this.own = new OwnReadLease(nowNanos);
    this.highest = restored.promised();
    this.heardNanos = nowNanos; // It may have granted a lease.
    waitFrom(nowNanos);
  }

  @Override
  void runsAt(long nowNanos) {
    long passedNanos = nowNanos - steppedNanos;
    if (leader != null && passedNanos > AWAY_HEARTBEATS * group.heartbeatNanos()) {
      leader.wasAway(passedNanos - AWAY_HEARTBEATS * group.heartbeatNanos(), nowNanos);
    }
    if (passedNanos > AWAY_ELECTIONS * group.electionNanos()) {
      given.leapt(passedNanos);
    }
    if (follows() && passedNanos > AWAY_ELECTIONS * group.electionNanos()) {
      heardNanos = nowNanos; // What the leader has said meanwhile is about to come.
      waitFrom(nowNanos);
    }
    steppedNanos = nowNanos;
  }

  /** Nobody has to say who leads. */
  @Override
  void viewed(GroupView view, long nowNanos, List<Effect> effects) {}

  @Override
  void change(List<Long> these, List<Long> those) {
    wanted = these;
    gone = those;
  }

  private boolean follows() {
    return leader == null && !ballot().equals(Ballot.NONE);
  }

  @Override
  void holdBack(boolean holds, long nowNanos) {
    if (holds != holdsBack) {
      holdsBack = holds;
      if (holds) {
        stepDown(nowNanos);
      }
    }
  }

  @Override
  boolean holdsBack() {
    return holdsBack;
  }

  @Override
  public long nextTickNanos() {
    if (leader != null) {
      return leader.nextTickNanos();
    }
    long lookNanos = follows() ? steppedNanos + group.electionNanos() : Long.MAX_VALUE;
    return Math.min(Math.min(untilNanos, lookNanos), acceptor.votes().tellNanos());
  }

  @Override
  void tick(long nowNanos, List<Effect> effects) {
    if (leader != null && nowNanos < leader.heartbeatNanos()) {
      leader.tick(nowNanos, effects); // There is something to send, and nothing else to do.
      return;
    }
    if (leader != null && (!leader.works(nowNanos, electionNanos()) || isRetired(nowNanos))) {
      failures = leader.hasBegun() ? 0 : Math.min(failures + 1, FAILURES_MAX);
      stepDown(nowNanos);
    }
    if (leader != null) {
      leader.tick(nowNanos, effects);
      if (leader.hasBegun()) {
        patience.leads(leader.ballot(), nowNanos);
      }
      changeMembers(leader, nowNanos, effects);
    } else if (nowNanos >= untilNanos) {
      waitFrom(nowNanos);
      if (acceptor.log().mayBeLedBy(group.self())) {
        canvass(nowNanos, effects);
      }
    }
  }

  private boolean isRetired(long nowNanos) {
    return holdsBack && nowNanos >= retiresNanos && isAsWanted();
  }

  private boolean isAsWanted() {
    List<Long> members = members();
    return wanted.isEmpty() || (wanted.size() == members.size() && wanted.containsAll(members));
  }

  private void changeMembers(Leader leading, long nowNanos, List<Effect> effects) {
    if (isAsWanted()) {
      wanted = List.of();
    }
    leading.change(wanted.isEmpty() ? members() : wanted, gone, nowNanos, effects);
    if (leading.hasLeft()) {
      leading.sayCommitted(effects);
      stepDown(nowNanos);
    }
  }

  /** Those to whom it has given leases read on: it is as patient as if it heard a leader. */
  private void stepDown(long nowNanos) {
    leader = null;
    acceptor.votes().stop();
    if (given.run(nowNanos)) {
      heardNanos = nowNanos;
    }
    waitFrom(nowNanos);
  }

  /** Asks first: who comes back from a cut would depose a leader that works otherwise. */
  private void canvass(long nowNanos, List<Effect> effects) {
    preVotes.begin(highest.next(group.self()), group.self());
    for (long member : members()) {
      if (member != group.self()) {
        Vows.send(member, acceptor.canvass(preVotes.ballot()), effects); // Once its disk answers.
      }
    }
    countPreVotes(nowNanos, effects);
  }

  private void countPreVotes(long nowNanos, List<Effect> effects) {
    if (preVotes.areEnough(acceptor.log().members())) {
      highest = preVotes.ballot();
      acceptor.promise(highest);
      preVotes.end();
      leader = new Leader(group, acceptor, given, nowNanos);
      retiresNanos = nowNanos + group.heldBackNanos();
      leader.tick(nowNanos, effects);
    }
  }

  @Override
  void received(long from, LogMessage.OfBallot message, long nowNanos, List<Effect> effects) {
    Ballot ballot = message.ballot();
    if (ballot.number() - acceptor.promised().number() > BALLOTS_AHEAD_MAX) {
      return;
    }
    switch (message) {
      case LogMessage.PreVote preVote -> preVote(from, preVote, nowNanos, effects);
      case LogMessage.PreVoted preVoted -> {
        boolean mayLead = leader == null && !hearsLeader(nowNanos);
        if (mayLead && highest.isBelow(ballot)) {
          preVotes.add(ballot, from);
          countPreVotes(nowNanos, effects);
        }
      }
      case LogMessage.Rejected rejected -> rejected(ballot, nowNanos);
      case LogMessage.OfLeader said -> {
        if (follows(from, said, nowNanos, effects)) {
          answer(from, said, nowNanos, effects);
        }
      }
      case LogMessage.ToLeader answer -> {
        if (leader != null && leader.ballot().equals(ballot)) {
          leader.received(from, answer, nowNanos, effects);
        }
      }
    }
  }

  private void answer(long from, LogMessage.OfLeader said, long nowNanos, List<Effect> effects) {
    switch (said) {
      case LogMessage.LeaseRequest(var ballot, var number)
          when group.leases() == Group.Leases.MEMBERS ->
          effects.add(new Effect.Send(from, new LogMessage.LeaseWish(ballot, number, nowNanos)));
      case LogMessage.ReadLease lease -> own.take(lease, group, nowNanos);
      case LogMessage.OfLeader other -> Vows.answer(group, acceptor, from, other, effects);
    }
  }

  @Override
  long leasedUntilNanos(long nowNanos) {
    return leader == null ? own.untilNanos(acceptor) : super.leasedUntilNanos(nowNanos);
  }

  private void preVote(long from, LogMessage.PreVote asked, long nowNanos, List<Effect> effects) {
    Ballot ballot = asked.ballot();
    if (!acceptor.promised().isBelow(ballot)) {
      effects.add(new Effect.Send(from, new LogMessage.Rejected(acceptor.promised())));
    } else if (!hearsLeader(nowNanos) && acceptor.couldBeLedBy(from, asked)) {
      effects.add(new Effect.Send(from, new LogMessage.PreVoted(ballot)));
    }
  }

  private void rejected(Ballot higher, long nowNanos) {
    rise(higher);
    if (leader != null && leader.ballot().isBelow(higher)) {
      stepDown(nowNanos);
    }
  }

  private boolean hearsLeader(long nowNanos) {
    return leader != null
        ? leader.works(nowNanos, electionNanos()) || given.run(nowNanos)
        : nowNanos - heardNanos < electionNanos();
  }

  @Override
  boolean hearsAll(long nowNanos) {
    return leader == null ? hearsLeader(nowNanos) : leader.hearsAll(nowNanos - electionNanos());
  }

  @Override
  long electionNanos() {
    return patience.electionNanos();
  }

  /** Whether it follows who speaks: whom it has promised to, or who asks while it hears nobody. */
  private boolean follows(
      long from, LogMessage.OfLeader said, long nowNanos, List<Effect> effects) {
    Ballot ballot = said.ballot();
    if (ballot.isBelow(acceptor.promised())) {
      effects.add(new Effect.Send(from, new LogMessage.Rejected(acceptor.promised())));
      return false;
    }
    boolean isNew = !ballot.equals(acceptor.promised());
    boolean asks = said instanceof LogMessage.Prepare && !hearsLeader(nowNanos);
    if (ballot.replica() != from || (isNew && !asks)) {
      return false; // Nobody speaks for another one, and it asks again if it may lead.
    }
    if (isNew) {
      follow(ballot);
    }
    heardNanos = nowNanos;
    if (!(said instanceof LogMessage.Prepare)) {
      failures = 0;
      patience.leads(ballot, nowNanos);
    }
    waitFrom(nowNanos);
    return true;
  }

  private void follow(Ballot ballot) {
    acceptor.promise(ballot);
    rise(ballot);
    leader = null;
    preVotes.end();
    wanted = List.of();
  }

  private void rise(Ballot to) {
    highest = highest.isBelow(to) ? to : highest;
  }

  /** For a time of its own, so that not all ask at once. */
  private void waitFrom(long nowNanos) {
    long longest = electionNanos() << failures;
    long heldBackNanos = holdsBack ? group.heldBackNanos() : 0;
    untilNanos = nowNanos + electionNanos() + heldBackNanos + random.nextLong(longest);
  }
}
