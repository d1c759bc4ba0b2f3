package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

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
public final class Consensus {
  /** What happens to it. Times as in {@link dev.tempest.protocol.Event}. */
  public sealed interface Event {
    /** When it happens. */
    long nowNanos();

    /** Time has passed. */
    record Tick(long nowNanos) implements Event {}

    /** A group is founded by these, of which this replica is one, and each knows no other group. */
    record Founded(long nowNanos, SlotEntry.Members members) implements Event {}

    /** Another replica has said something. */
    record Received(long nowNanos, long from, LogMessage.OfBallot message) implements Event {}

    /**
     * Somebody proposes an entry: it gets the next slot if this replica {@link #serves}, and goes
     * to the others with the next {@link Tick}, which is due at once; else nothing happens.
     */
    record Propose(long nowNanos, SlotEntry entry) implements Event {}

    /**
     * These should be the members. If this replica leads, it gets there one by one, itself last. It
     * forgets that when it follows another one; so all are told, and again while it is not so.
     *
     * @param wanted those that are new have caught up before they count
     * @param gone members that seem to run no more
     */
    record Change(long nowNanos, SlotEntry.Members wanted, List<Long> gone) implements Event {}
  }

  /** What it wants done. */
  public sealed interface Effect {
    /** Send to another replica, with no promise that it arrives. */
    record Send(long to, LogMessage message) implements Effect {}

    /**
     * Send what binds this replica, with no promise that it arrives; of a group that stores, once
     * these are stored and all before them. What goes to this replica itself does arrive.
     */
    record Vow(List<LogMessage.Stored> stored, long to, LogMessage.Vow vow) implements Effect {}

    /** This is in the log for good; slot by slot, each once. */
    record Committed(long slot, SlotEntry entry) implements Effect {}

    /** The log begins here from now on: the state that was given for it takes the place of all. */
    record Installed(LogPoint point) implements Effect {}
  }

  private static final int FAILURES_MAX = 4;

  /**
   * Whoever holds back waits for so many elections more before it leads, and leads for as long.
   * Usual ones: that is longer than those who do not hold back wait, however patient all are.
   */
  private static final int HELD_BACK = 10;

  /** Who comes so many elections late did not run, or its clock was wrong. */
  private static final int AWAY_ELECTIONS = 5;

  /** Nobody was away for so many elections: it is nonsense, and would leave no room for more. */
  private static final long BALLOTS_AHEAD_MAX = 1L << 32;

  private final Group group;
  private final SplittableRandom random;
  private final Patience patience;
  private final Acceptor acceptor;
  private final PreVotes preVotes = new PreVotes();
  private List<Long> wanted = List.of();
  private List<Long> gone = List.of();
  private Ballot highest = Ballot.NONE;
  private @Nullable Leader leader;

  /** When a leader was heard, or somebody who is about to become one. */
  private long heardNanos;

  /** Until when it waits for one. */
  private long untilNanos;

  private long steppedNanos;
  private long delivered;

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
    this.group = group;
    this.acceptor = restored;
    this.random = new SplittableRandom(seed);
    this.patience = new Patience(group.electionNanos());
    this.highest = restored.promised();
    this.delivered = restored.log().start();
    this.heardNanos = nowNanos; // It may have granted a lease.
    waitFrom(nowNanos);
  }

  /** Takes an event, returns what has to be done about it. */
  public List<Effect> step(Event event) {
    List<Effect> effects = new ArrayList<>();
    if (leader != null && event.nowNanos() - steppedNanos > 2 * group.heartbeatNanos()) {
      leader.wasAway(event.nowNanos());
    }
    if (isBackAt(event.nowNanos())) {
      heardNanos = event.nowNanos(); // What the leader has said meanwhile is about to come.
      waitFrom(event.nowNanos());
    }
    steppedNanos = event.nowNanos();
    switch (event) {
      case Event.Tick(var nowNanos) -> tick(nowNanos, effects);
      case Event.Received(var nowNanos, var from, var message) -> {
        if (from != group.self()) {
          received(from, message, nowNanos, effects);
        } else if (message instanceof LogMessage.Vow own) {
          stored(own);
        }
      }
      case Event.Founded(var nowNanos, var members) -> acceptor.found(members);
      case Event.Change(var nowNanos, var these, var those) -> {
        wanted = these.members();
        gone = those;
      }
      case Event.Propose(var nowNanos, var entry) -> {
        if (leader != null && leader.serves()) {
          leader.propose(entry, nowNanos);
        }
      }
    }
    Vows.bind(group, acceptor, effects, this::stored);
    LogPoint installed = acceptor.takeInstalled();
    if (installed != null) {
      delivered = installed.slot();
      effects.addFirst(new Effect.Installed(installed)); // It is stored before what is said.
    }
    Log log = acceptor.log();
    for (; delivered < log.committed(); delivered++) {
      effects.add(new Effect.Committed(delivered, log.get(delivered)));
    }
    return effects;
  }

  /** What the replica itself has promised and accepted counts like that of any: once stored. */
  private void stored(LogMessage.Vow own) {
    if (leader != null && leader.ballot().equals(own.ballot())) {
      leader.stored(own, steppedNanos);
    }
  }

  /** Whether it follows somebody, and was to run long ago. */
  private boolean isBackAt(long nowNanos) {
    boolean follows = leader == null && !ballot().equals(Ballot.NONE);
    long dueNanos = Math.max(untilNanos, steppedNanos);
    return follows && nowNanos - dueNanos > AWAY_ELECTIONS * group.electionNanos();
  }

  /** Whether nobody has ever told it of a group. */
  boolean isFresh() {
    return acceptor.isFresh();
  }

  /** What the committed entries that it keeps take in memory, about: they can be dropped. */
  long committedBytes() {
    return acceptor.log().sizeBytes(committed());
  }

  /** How many entries it has accepted: all that it has helped to commit are among them. */
  long length() {
    return acceptor.log().length();
  }

  /** The first slot that it keeps. */
  public long start() {
    return acceptor.log().start();
  }

  /** An entry that it keeps. */
  SlotEntry get(long slot) {
    return acceptor.log().get(slot);
  }

  /**
   * Whether it leads only where nobody else does: its owner is not fit to. A member that is may
   * have to be let in; so it leads then, and for a while.
   */
  void holdBack(boolean holds, long nowNanos) {
    if (holds != holdsBack) {
      holdsBack = holds;
      if (holds) {
        leader = null;
        waitFrom(nowNanos);
      }
    }
  }

  /** {@link #holdBack}. */
  boolean holdsBack() {
    return holdsBack;
  }

  /** Whether all before a slot is stored if it leads, else about to be; or need not be. */
  boolean stores(long slot) {
    return !group.stores() || (leader != null ? leader.hasStored(slot) : acceptor.hasToldOf(slot));
  }

  /** Drops what is committed before a slot: its owner has the state there. */
  public void dropBelow(long slot) {
    if (leader != null) {
      leader.drops(slot);
    }
    acceptor.log().dropBelow(slot);
  }

  /** If it leads, says how much is committed to a replica that may not know. */
  List<Effect> sayCommitted(long to) {
    if (leader == null) {
      return List.of();
    }
    List<Effect> effects = new ArrayList<>(1);
    leader.sayCommitted(to, effects);
    return effects;
  }

  /** Whether it leads, and somebody takes the state with which its log begins. */
  public boolean isGivingState() {
    return leader != null && leader.isGivingState();
  }

  /** Whether it has the log of its leader: if not, it may need a state before it can. */
  boolean isWhole() {
    return acceptor.isWhole();
  }

  /** Where the log begins that it takes over with a state; -1 if it takes none. */
  public long takesStateAt() {
    return acceptor.takesStateAt();
  }

  /** How far a log has come here. */
  long reach() {
    return acceptor.reach();
  }

  /** That state is here; its owner keeps it until it is {@link Effect.Installed}. */
  public void stateIsHere(LogPoint point) {
    acceptor.stateIsHere(point);
  }

  /** When the next {@link Event.Tick} is due. */
  public long nextTickNanos() {
    return leader != null ? leader.nextTickNanos() : untilNanos;
  }

  /** Whether it leads, and has everything that was ever committed. */
  public boolean serves() {
    return leader != null && leader.serves();
  }

  /** Whether it leads, and nobody else can yet: all that is committed is in its log. */
  boolean holdsLease(long nowNanos) {
    return leader != null && leader.holdsLease(nowNanos);
  }

  /** Who agrees on what comes next, as far as it knows; maybe not for good yet. */
  public List<Long> members() {
    return acceptor.log().members();
  }

  /** The highest ballot that it has promised. */
  public Ballot ballot() {
    return acceptor.promised();
  }

  /** How many entries are committed, as far as is known here. */
  public long committed() {
    return acceptor.log().committed();
  }

  /** Throws an {@link AssertionError} if it does not hold together; for simulations. */
  public void checkInvariants() {
    acceptor.checkInvariants();
    Invariant.check(
        leader == null || leader.ballot().equals(acceptor.promised()),
        "a leader follows nobody else");
    Invariant.check(delivered == committed(), "what is committed is delivered");
  }

  private void tick(long nowNanos, List<Effect> effects) {
    if (leader != null && nowNanos < leader.heartbeatNanos()) {
      leader.tick(nowNanos, effects); // There is something to send, and nothing else to do.
      return;
    }
    if (leader != null && (!leader.works(nowNanos, electionNanos()) || isRetired(nowNanos))) {
      failures = leader.hasBegun() ? 0 : Math.min(failures + 1, FAILURES_MAX);
      leader = null;
      waitFrom(nowNanos);
    }
    if (leader != null) {
      leader.tick(nowNanos, effects);
      if (leader.hasBegun()) {
        patience.leads(leader.ballot(), nowNanos);
      }
      changeMembers(leader, nowNanos, effects);
    } else if (nowNanos >= untilNanos) {
      waitFrom(nowNanos);
      if (acceptor.log().members().contains(group.self())) {
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
    leading.change(wanted.isEmpty() ? members() : wanted, gone, nowNanos);
    if (leading.hasLeft()) {
      leading.sayCommitted(effects);
      leader = null;
      waitFrom(nowNanos);
    }
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
      leader = new Leader(group, acceptor, nowNanos);
      retiresNanos = nowNanos + HELD_BACK * group.electionNanos();
      leader.tick(nowNanos, effects);
    }
  }

  private void received(
      long from, LogMessage.OfBallot message, long nowNanos, List<Effect> effects) {
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
          Vows.answer(group, acceptor, from, said, effects);
        }
      }
      case LogMessage.ToLeader answer -> {
        if (leader != null && leader.ballot().equals(ballot)) {
          leader.received(from, answer, nowNanos, effects);
        }
      }
    }
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
      leader = null;
      waitFrom(nowNanos);
    }
  }

  private boolean hearsLeader(long nowNanos) {
    return leader != null
        ? leader.works(nowNanos, electionNanos())
        : nowNanos - heardNanos < electionNanos();
  }

  /** Whether it hears its leader, or all members if it leads. */
  boolean hearsAll(long nowNanos) {
    return leader == null ? hearsLeader(nowNanos) : leader.hearsAll(nowNanos - electionNanos());
  }

  /** For how long a leader may be silent. */
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
    long heldBackNanos = holdsBack ? HELD_BACK * group.electionNanos() : 0;
    untilNanos = nowNanos + electionNanos() + heldBackNanos + random.nextLong(longest);
  }
}
