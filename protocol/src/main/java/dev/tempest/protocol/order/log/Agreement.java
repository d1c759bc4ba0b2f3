package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.GroupView;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.ReplicaRole;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a group that agrees on a log. Whatever is lost, late, doubled or stopped, no two
 * replicas commit different entries in one slot. Who leads, and how many have to have an entry
 * before it is committed, is decided in one of several ways.
 *
 * <p>Not thread-safe: its owner calls it from one thread at a time.
 */
public abstract sealed class Agreement permits Consensus, PrimaryBackup {
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
     * This replica votes for an entry in the next place, if it {@linkplain #isVoting votes}; else
     * nothing happens.
     */
    record Vote(long nowNanos, SlotEntry.Called entry) implements Event {}

    /**
     * Something has come that this replica may not vote for: it votes no more in this period, and
     * nobody does if it leads.
     */
    record Close(long nowNanos) implements Event {}

    /** The view service has said which view is the latest that it knows. */
    record Viewed(long nowNanos, GroupView view) implements Event {}

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

    /**
     * It votes no more, for the time being: what it has voted for and is not in the log may come to
     * nothing.
     */
    record VotesNoMore() implements Effect {}

    /** This is in the log for good; slot by slot, each once. */
    record Committed(long slot, SlotEntry entry) implements Effect {}

    /**
     * Ask the view service which view is the latest, with no promise that it answers: with {@link
     * Event.Viewed}.
     *
     * @param wanted should be the latest; that is what is known to be if it should not change
     */
    record AskForView(GroupView wanted) implements Effect {}

    /** The log begins here from now on: the state that was given for it takes the place of all. */
    record Installed(LogPoint point) implements Effect {}
  }

  final Group group;
  final Acceptor acceptor;
  @Nullable Leader leader;
  private long delivered;

  Agreement(Group group, Acceptor acceptor) {
    this.group = group;
    this.acceptor = acceptor;
    this.delivered = acceptor.log().start();
  }

  /**
   * As a group agrees.
   *
   * @param size so many members there are to be
   * @param restored what it had stored in an earlier life; null for nothing
   * @param seed 64 random bits
   */
  static Agreement begin(
      Group group, int size, @Nullable Acceptor restored, long seed, long nowNanos) {
    if (group.quorum() == Quorum.ALL) {
      return new PrimaryBackup(group, size, nowNanos);
    }
    return restored == null
        ? new Consensus(group, seed, nowNanos)
        : new Consensus(group, restored, seed, nowNanos);
  }

  /** What an entry in its slot adds to {@link LogPoint#hash}. */
  public static long hash(SlotEntry entry, long slot) {
    return Log.hash(entry, slot);
  }

  /** Takes an event, returns what has to be done about it. */
  public final List<Effect> step(Event event) {
    List<Effect> effects = new ArrayList<>();
    runsAt(event.nowNanos());
    switch (event) {
      case Event.Tick(var nowNanos) -> tick(nowNanos, effects);
      case Event.Received(var nowNanos, var from, var message) -> {
        if (from != group.self()) {
          received(from, message, nowNanos, effects);
        } else if (message instanceof LogMessage.Vow own) {
          stored(own, nowNanos);
        }
      }
      case Event.Founded(var nowNanos, var members) -> acceptor.found(members);
      case Event.Change(var nowNanos, var wanted, var gone) -> change(wanted.members(), gone);
      case Event.Viewed(var nowNanos, var view) -> viewed(view, nowNanos, effects);
      case Event.Propose(var nowNanos, var entry) -> {
        if (leader != null && leader.serves()) {
          leader.propose(entry, nowNanos, effects);
        }
      }
      case Event.Vote(var nowNanos, var entry) -> vote(entry, nowNanos, effects);
      case Event.Close(var nowNanos) -> {
        acceptor.votes().stop();
        if (leader != null) {
          leader.close(nowNanos, effects);
        }
      }
    }
    if (acceptor.votes().takeTold(event.nowNanos())) {
      effects.add(new Effect.Send(ballot().replica(), vote()));
    }
    Vows.bind(group, acceptor, effects, own -> stored(own, event.nowNanos()));
    if (acceptor.votes().takeStopped()) {
      effects.addFirst(new Effect.VotesNoMore());
    }
    LogPoint installed = acceptor.takeInstalled();
    if (installed != null) {
      delivered = installed.slot();
      effects.addFirst(new Effect.Installed(installed)); // It is stored before what is said.
    }
    Log log = acceptor.log();
    for (; delivered < log.committed(); delivered++) {
      SlotEntry entry = log.get(delivered);
      effects.add(new Effect.Committed(delivered, entry));
      if (entry instanceof SlotEntry.Begun(Ballot by)) {
        acceptor.hasBegun(by);
      }
    }
    return effects;
  }

  private void vote(SlotEntry.Called entry, long nowNanos, List<Effect> effects) {
    if (!isVoting()) {
      return;
    }
    acceptor.votes().add(entry);
    if (leader != null) {
      leader.voted(nowNanos, effects);
    } else {
      acceptor.votes().tellSoon(nowNanos, group);
    }
  }

  /** Its latest vote. */
  public final LogMessage.Vote vote() {
    return acceptor.votes().vote(ballot());
  }

  /** How many votes choose. */
  public final int needed() {
    return group.quorum().voting(members().size());
  }

  /** Whether it votes for what comes now. */
  public final boolean isVoting() {
    return acceptor.isVoting(group);
  }

  /** It runs: it may have been about to long ago. */
  abstract void runsAt(long nowNanos);

  abstract void tick(long nowNanos, List<Effect> effects);

  /** Another replica has said something. */
  abstract void received(
      long from, LogMessage.OfBallot message, long nowNanos, List<Effect> effects);

  /** {@link Event.Viewed}. */
  abstract void viewed(GroupView view, long nowNanos, List<Effect> effects);

  /** {@link Event.Change}. */
  abstract void change(List<Long> wanted, List<Long> gone);

  /** What the replica itself has promised and accepted counts like that of any: once stored. */
  private void stored(LogMessage.Vow own, long nowNanos) {
    if (leader != null && leader.ballot().equals(own.ballot())) {
      leader.stored(own, nowNanos);
    }
  }

  /** When the next {@link Event.Tick} is due. */
  public abstract long nextTickNanos();

  /**
   * Its owner is not fit to lead, or is so again. A member that is may have to be let in; so it
   * leads where nobody else does, and for a while.
   */
  abstract void holdBack(boolean holds, long nowNanos);

  /** {@link #holdBack}. */
  abstract boolean holdsBack();

  /** Whether it hears its leader, or all members if it leads. */
  abstract boolean hearsAll(long nowNanos);

  /** For how long a leader may be silent. */
  abstract long electionNanos();

  /** How many members have to agree. */
  final Quorum quorum() {
    return group.quorum();
  }

  /** Whether nobody has ever told it of a group, and it founds one with the others. */
  boolean isFresh() {
    return acceptor.isFresh();
  }

  /** Whether others may lack something if it ends now: who leads has to see them agree, too. */
  boolean isNeeded() {
    return serves() || members().contains(group.self());
  }

  /** What it is among the others, for people. */
  final ReplicaRole role() {
    if (isSpare()) {
      return ReplicaRole.SPARE;
    }
    return serves() ? ReplicaRole.LEADER : ReplicaRole.FOLLOWER;
  }

  /** Whether others keep what is agreed on, and it waits to take the place of one that ends. */
  boolean isSpare() {
    return false;
  }

  /** Whether it is none of those that have a copy by now, as far as it knows. */
  boolean hasNoCopy() {
    return false;
  }

  /** Why nobody leads, of all that are here; null if somebody does, or may soon. */
  @Nullable String why(Collection<Long> here) {
    return null;
  }

  /** Whether it is to be told now and then who should be members. */
  boolean wantsMembers() {
    return serves();
  }

  /** What the committed entries that it keeps take in memory, about: they can be dropped. */
  long committedBytes() {
    return acceptor.log().sizeBytes(committed());
  }

  /** How many entries it has accepted. */
  long length() {
    return acceptor.log().length();
  }

  /** And how many places it has voted for: all that it has helped to choose is in one of these. */
  long end() {
    return acceptor.votes().end();
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
   * How much of its log may be dropped. What is committed by votes alone a member may have only as
   * such, who could not lead without what lies before it.
   */
  public long droppable() {
    return group.isFast() ? Math.min(committed(), acceptor.inLogs()) : committed();
  }

  /**
   * Whether what lies before a slot may be dropped: all of it is stored if it leads, else about to
   * be; or need not be.
   */
  boolean mayDrop(long slot) {
    return slot <= droppable() && stores(slot);
  }

  private boolean stores(long slot) {
    return !group.stores() || (leader != null ? leader.hasStored(slot) : acceptor.hasToldOf(slot));
  }

  /** Drops what is committed before a slot: its owner has the state there. */
  public void dropBelow(long slot) {
    if (leader != null) {
      leader.drops(slot);
    }
    acceptor.log().dropBelow(slot);
  }

  /** Somebody waits until what was voted for is committed. */
  void hurry() {
    if (leader == null) {
      acceptor.votes().hurry();
    } else {
      leader.hurry();
    }
  }

  /** If it leads, says how much is committed to a replica that may not know. */
  List<Effect> sayCommitted(long to) {
    hurry();
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

  /** Whether it leads, and has everything that was ever committed. */
  public boolean serves() {
    return leader != null && leader.serves();
  }

  /** Whether what is proposed gets the next slot. */
  public boolean proposes() {
    return leader != null && leader.proposes();
  }

  /** Whether all that is committed anywhere is in its log, since nobody else can lead yet. */
  boolean holdsLease(long nowNanos) {
    return nowNanos < leasedUntilNanos(nowNanos);
  }

  /** Until when; earlier than any clock says if it does not hold one. */
  long leasedUntilNanos(long nowNanos) {
    return leader == null ? Long.MIN_VALUE : leader.leasedUntilNanos(nowNanos);
  }

  /** Whether it would read without an entry that is committed; for simulations. */
  public boolean readsWithout(long slot, long nowNanos) {
    return holdsLease(nowNanos) && length() <= slot;
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
}
