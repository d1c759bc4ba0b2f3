package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.SlotEntry;
import java.util.List;
import java.util.Set;

/**
 * A replica that leads by one ballot, or is about to: once it has taken over the log of those
 * before it, it makes that longer. All that it ever sends is a part of one log that only grows.
 */
final class Leader {
  private final Group group;
  private final Ballot ballot;
  private final Acceptor acceptor;
  private final Followers followers;
  private final Takeover takeover;
  private final Lengths lengths;
  private final Lessor lessor;
  private final Sending sending;
  private final FastPeriods fast;

  /** Whether what enough members have is committed: another one could lead without it else. */
  private boolean commits;

  /** The length of the log with which it began; 0 until then. */
  private long whole;

  /** So much of its log it has told itself to store. */
  private long accepted;

  private long nowNanos;
  private long heartbeatNanos;

  /** What was committed one or two elections ago, and what was later, and until when. */
  private long committedBefore;

  private long committedSince;
  private long sinceUntilNanos;

  /** When what was proposed or committed is sent: all that came in one turn goes together. */
  private long sendNanos = Long.MAX_VALUE;

  /**
   * By a ballot that this replica itself has promised.
   *
   * @param given outlive it
   */
  Leader(Group group, Acceptor acceptor, ReadLeases given, long nowNanos) {
    this(group, acceptor, List.of(), given, nowNanos);
  }

  /**
   * With these members, and a log that has all that was ever committed; nothing more is before it
   * {@link #mayCommit}.
   */
  Leader(Group group, Acceptor acceptor, List<Long> members, long nowNanos) {
    this(group, acceptor, members, new ReadLeases(), nowNanos);
  }

  private Leader(
      Group group, Acceptor acceptor, List<Long> members, ReadLeases given, long nowNanos) {
    this.group = group;
    this.acceptor = acceptor;
    this.ballot = acceptor.promised();
    this.commits = members.isEmpty();
    this.nowNanos = nowNanos;
    this.heartbeatNanos = nowNanos;
    this.followers = new Followers(group.self());
    followers.add(members.isEmpty() ? members() : members, nowNanos);
    this.takeover = new Takeover(group, acceptor, followers, members, nowNanos);
    this.lengths = new Lengths(group, acceptor, followers);
    this.lessor = new Lessor(group, acceptor, followers, lengths, given);
    this.sending = new Sending(group, acceptor, commits);
    this.fast = new FastPeriods(group, acceptor, followers, nowNanos);
  }

  Ballot ballot() {
    return ballot;
  }

  /** When {@link #tick} is due. */
  long nextTickNanos() {
    return Math.min(heartbeatNanos, sendNanos);
  }

  /** When it next does more than send what was proposed. */
  long heartbeatNanos() {
    return heartbeatNanos;
  }

  /** Whether its log has everything that was ever committed, and that is known. */
  boolean serves() {
    return hasBegun() && acceptor.log().committed() >= whole;
  }

  /** Whether it has taken over what was there before. */
  boolean hasBegun() {
    return whole > 0;
  }

  /** Whether it may still lead: it reaches a majority, and comes on, and so does its disk. */
  boolean works(long now, long electionNanos) {
    if (!takeover.asks()) {
      return takeover.waitsForDisk(now);
    }
    long since = now - electionNanos;
    boolean reaches =
        group.quorum().accepts(followers.with(each -> each.silentNanos > since), members());
    return reaches && (hasBegun() ? storesEnough() : takeover.comesOn(since));
  }

  /**
   * Whether its disk keeps up with what others had stored an election ago: what waits for it takes
   * memory, without an end if that hangs and the others agree without it.
   */
  private boolean storesEnough() {
    return sending.isWithinWindow(Math.max(lengths.stored(), whole), committedBefore);
  }

  /** Whether all of its log before a slot is stored here, if it is to be. */
  boolean hasStored(long slot) {
    return lengths.stored() >= slot;
  }

  /** Whether it has heard every member since then. */
  boolean hearsAll(long since) {
    return followers.with(each -> each.heardNanos > since).containsAll(members());
  }

  /**
   * Until when nobody else can lead: so its log has all that is committed anywhere, be it known
   * here or not. Earlier than any clock says if it does not serve.
   */
  long leasedUntilNanos(long now) {
    return serves() ? lessor.untilNanos(now) : Long.MIN_VALUE;
  }

  /** For so long it did not run, and could hear nobody: that is no silence of theirs. */
  void wasAway(long nanos, long now) {
    followers.all().forEach(each -> each.silentNanos += nanos);
    fast.wasAway(nanos, now);
  }

  /** Sends what was proposed; at times what was lost, or a sign of life. */
  void tick(long now, List<Effect> effects) {
    nowNanos = now;
    if (nowNanos >= sendNanos) {
      sendNanos = Long.MAX_VALUE;
      sendProposed(effects);
    }
    if (fast.areDue(nowNanos) && serves()) {
      fast.open(nowNanos, effects);
    }
    if (nowNanos < heartbeatNanos) {
      return;
    }
    heartbeatNanos = nowNanos + group.heartbeatNanos();
    if (nowNanos >= sinceUntilNanos) {
      sinceUntilNanos = nowNanos + group.electionNanos();
      committedBefore = committedSince;
      committedSince = acceptor.log().committed();
    }
    if (!hasBegun()) {
      takeover.tick(nowNanos, effects);
      beginIfTaken(effects);
      return;
    }
    if (group.leases() == Group.Leases.MEMBERS) {
      lessor.heartbeat();
      commit(); // Who read alone may be waited for no longer.
    }
    for (Follower follower : followers.all()) {
      if (follower.promise == null) {
        Followers.send(follower, new LogMessage.Prepare(ballot), effects);
      } else {
        sending.pulse(follower, nowNanos, effects);
        lessor.ask(follower, nowNanos, effects);
      }
    }
    acceptor.majorityHas(lengths.agreed());
    fast.heartbeat(nowNanos, effects);
    sendWhatIsNew();
  }

  private void sendProposed(List<Effect> effects) {
    long length = acceptor.log().length();
    if (length > accepted) {
      accept(effects);
    }
    for (Follower follower : followers.all()) {
      if (follower.isWhole) {
        sending.sendMore(follower, length, nowNanos, effects);
      }
      if (lessor.isReading(follower, nowNanos)) {
        sending.sayCommitted(follower, nowNanos, effects);
      }
    }
  }

  /** The leader accepts like any other: it tells itself. */
  private void accept(List<Effect> effects) {
    accepted = acceptor.log().length();
    Vows.send(group.self(), new LogMessage.Accepted(ballot, accepted), effects);
  }

  /** What it has said to itself is stored: its promise, or so much of its log. */
  void stored(LogMessage.Vow own, long now) {
    nowNanos = now;
    if (own instanceof LogMessage.Accepted(var by, var length)) {
      lengths.stores(length);
      commit();
    } else if (!takeover.asks()) {
      takeover.ask(nowNanos);
      followers.all().forEach(each -> each.isHeard(nowNanos)); // They have heard nothing yet.
    }
  }

  /** Another replica has answered. */
  void received(long from, LogMessage.ToLeader answer, long now, List<Effect> effects) {
    nowNanos = now;
    Follower follower = followers.get(from);
    if (follower == null) {
      return;
    }
    follower.isHeard(nowNanos);
    switch (answer) {
      case LogMessage.Promise promise when follower.promise == null ->
          promised(follower, promise, effects);
      case LogMessage.VotedPromise(var promise, var votes) when follower.promise == null -> {
        follower.voted = votes;
        promised(follower, promise, effects);
      }
      case LogMessage.Vote vote when serves() -> fast.voted(follower, vote, nowNanos, effects);
      case LogMessage.Closed closed -> fast.closed(follower, closed, nowNanos, effects);
      case LogMessage.Fetched fetched when !hasBegun() ->
          takeover.fetched(follower, fetched, nowNanos, effects);
      case LogMessage.Synced(var by, var length) when follower.promise != null ->
          synced(follower, length, effects);
      case LogMessage.Accepted(var by, var length) when follower.promise != null ->
          accepted(follower, length, effects);
      case LogMessage.Lease(var by, var asked) when asked <= nowNanos ->
          follower.leasedNanos = Math.max(follower.leasedNanos, asked);
      case LogMessage.LeaseWish wish when serves() && wish.number() <= nowNanos ->
          lessor.wished(follower, wish, nowNanos, effects);
      case LogMessage.Stores stores when !hasBegun() -> takeover.stores(follower, nowNanos);
      case LogMessage.ToLeader late -> {} // It may have been asked anew meanwhile.
    }
    beginIfTaken(effects);
    sendWhatIsNew();
  }

  private void promised(Follower follower, LogMessage.Promise promise, List<Effect> effects) {
    follower.promise = promise;
    if (hasBegun()) {
      sync(follower, promise, effects);
    } else {
      takeover.promised(nowNanos, effects);
    }
  }

  private void beginIfTaken(List<Effect> effects) {
    if (hasBegun() || takeover.taken() == null) {
      return;
    }
    whole = acceptor.log().length();
    sending.begin(whole);
    fast.begin(effects);
    followers.add(members(), nowNanos);
    accept(effects);
    for (Follower follower : followers.all()) {
      LogMessage.Promise promise = follower.promise;
      if (promise != null) {
        sync(follower, promise, effects);
      }
    }
  }

  /** Up to where its log is the same: one that was accepted by the same ballot, or committed. */
  private void sync(Follower follower, LogMessage.Promise promise, List<Effect> effects) {
    long start = acceptor.log().start();
    boolean isBack = promise.accepted().equals(ballot); // It was dropped before.
    if (isBack && promise.length() >= start) {
      accepted(follower, promise.length(), effects);
      return;
    }
    boolean isSame = isBack || promise.accepted().equals(takeover.taken());
    long same = Math.min(isSame ? promise.length() : promise.committed(), takeover.length());
    follower.takesState = same < start;
    follower.base = follower.takesState ? start : same;
    follower.begin(follower.base);
    sending.sendNext(follower, nowNanos, effects);
    sending.sendMore(follower, sending.wholeOf(follower), nowNanos, effects);
  }

  private void synced(Follower follower, long length, List<Effect> effects) {
    if (follower.isWhole || length < follower.base || length > sending.wholeOf(follower)) {
      return;
    }
    if (length < acceptor.log().start()) { // It has come back, and what it lacks now is dropped.
      follower.startOver();
      return;
    }
    hasNow(follower, length);
    sending.sendMore(follower, sending.wholeOf(follower), nowNanos, effects);
  }

  private void accepted(Follower follower, long length, List<Effect> effects) {
    boolean mayHave = hasBegun() && length >= whole && length <= acceptor.log().length();
    if (mayHave && length >= follower.has) { // Else it is nonsense, or late.
      follower.isWhole = true;
      hasNow(follower, length);
      commit();
      sending.sendMore(follower, acceptor.log().length(), nowNanos, effects);
    }
  }

  private void hasNow(Follower follower, long length) {
    follower.hasNow(length, nowNanos);
    if (sending.isSmall(length) && follower.lacksNext()) {
      follower.sendAgain(nowNanos);
    }
  }

  /**
   * Puts an entry into the next slot, and sends it once this turn's {@link #tick} comes; or sees to
   * it that the next one can be.
   */
  void propose(SlotEntry entry, long now, List<Effect> effects) {
    nowNanos = now;
    if (fast.mayPropose()) {
      acceptor.log().add(entry);
      sendWhatIsNew();
    } else {
      close(nowNanos, effects);
    }
  }

  /** Whether what is proposed gets the next slot: nobody votes, and no votes are to be counted. */
  boolean proposes() {
    return serves() && fast.mayPropose();
  }

  /** Something is to be proposed: no more is voted for. */
  void close(long now, List<Effect> effects) {
    nowNanos = now;
    fast.close(nowNanos, effects);
    sendWhatIsNew();
  }

  /** This replica has voted. */
  void voted(long now, List<Effect> effects) {
    nowNanos = now;
    fast.voted(nowNanos, effects);
    sendWhatIsNew();
  }

  private void sendWhatIsNew() {
    if (hasBegun() && acceptor.log().length() > accepted) {
      sendNanos = Math.min(sendNanos, nowNanos + fast.togetherNanos(accepted));
    }
  }

  /** Somebody waits until what was voted for is committed. */
  void hurry() {
    fast.hurry();
    sendWhatIsNew();
  }

  /** What enough members have is committed, and all before it. */
  private void commit() {
    Log log = acceptor.log();
    long before = log.committed();
    if (commits) {
      log.commit(lessor.committable(nowNanos));
    }
    boolean isAwaited = group.leases() == Group.Leases.MEMBERS || fast.areDue(nowNanos);
    if (log.committed() > before && isAwaited) { // By reads, or by updates to be voted for.
      sendNanos = Math.min(sendNanos, nowNanos);
    }
  }

  /** Whether enough members have all with which it began. */
  boolean isTaken() {
    return hasBegun() && lengths.agreed() >= whole;
  }

  /** From now on what enough members have is committed. */
  void mayCommit() {
    commits = true;
    sending.mayCommit();
    commit();
  }

  /**
   * Comes one step nearer to these members: one at a time, since majorities have to meet.
   *
   * @param wanted as they should be; as they are if nobody said so
   * @param gone members that seem to run no more
   */
  void change(List<Long> wanted, List<Long> gone, long now, List<Effect> effects) {
    nowNanos = now;
    if (!serves() || !acceptor.log().isSettled()) {
      return;
    }
    speakTo(wanted, now);
    List<Long> next =
        Reconfiguration.next(group.self(), members(), wanted, gone, this::keepsUp, this::canAgree);
    if (!next.isEmpty()) {
      propose(new SlotEntry.Members(next), now, effects);
    }
  }

  /** It speaks to these, and to the members. */
  void speakTo(List<Long> wanted, long now) {
    List<Long> members = members();
    followers.removeIf(each -> !members.contains(each) && !wanted.contains(each));
    followers.add(wanted, now);
  }

  /** The members that it has heard since then, and itself. */
  List<Long> heardSince(long since) {
    Set<Long> heard = followers.with(each -> each.silentNanos > since);
    return members().stream().filter(heard::contains).toList();
  }

  /** Whether enough of them are there: else whoever goes is needed until somebody has come. */
  private boolean canAgree(List<Long> members) {
    long since = nowNanos - group.electionNanos();
    List<Long> there =
        followers.with(each -> each.silentNanos > since).stream().filter(this::keepsUp).toList();
    return group.quorum().accepts(there, members);
  }

  /**
   * Whether a new one takes no longer for the log than those who are members: it may execute all of
   * it, and others would wait for that once it counts, if one of them is missing.
   */
  boolean keepsUp(long each) {
    return lengths.of(each) >= Math.max(committedBefore, whole);
  }

  /** How much is committed, to a follower that was not told so much. */
  void sayCommitted(long to, List<Effect> effects) {
    Follower follower = followers.get(to);
    if (follower != null) {
      sending.sayCommitted(follower, nowNanos, effects);
    }
  }

  /** What others lack most when it leaves them. */
  void sayCommitted(List<Effect> effects) {
    followers.all().stream()
        .filter(each -> each.isWhole)
        .forEach(each -> sending.sendNext(each, nowNanos, effects));
  }

  /** Whether others are to go on without it, and can. */
  boolean hasLeft() {
    return acceptor.log().isSettled() && !members().contains(group.self());
  }

  private List<Long> members() {
    return acceptor.log().members();
  }

  /** What lies before a slot is about to be dropped. */
  void drops(long slot) {
    if (hasBegun()) { // Before, it is not known what the others have.
      followers.drop(slot);
    }
  }

  /** Whether somebody takes the state with which the log begins, and would have to begin again. */
  boolean isGivingState() {
    return followers.with(Follower::lacksState).size() > 1;
  }
}
