package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Consensus.Effect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A replica that leads by one ballot, or is about to: once it has taken over the log of those
 * before it, it makes that longer. All that it ever sends is a part of one log that only grows.
 */
final class Leader {
  /** So many times as much as one message holds may be on its way to one replica. */
  private static final int WINDOW = 16;

  /** Less than any log has. */
  private static final long NOTHING = Long.MIN_VALUE / 2;

  private final Group group;
  private final Ballot ballot;
  private final Acceptor acceptor;
  private final Followers followers;
  private final Takeover takeover;

  /** The length of the log with which it began; 0 until then. */
  private long whole;

  private long heartbeatNanos;

  /** By a ballot that this replica itself has promised. */
  Leader(Group group, Acceptor acceptor, long nowNanos) {
    this.group = group;
    this.acceptor = acceptor;
    this.ballot = acceptor.promised();
    this.heartbeatNanos = nowNanos;
    this.followers = new Followers(group.self());
    followers.add(members(), nowNanos);
    this.takeover = new Takeover(group, acceptor, followers, nowNanos);
  }

  Ballot ballot() {
    return ballot;
  }

  /** When {@link #tick} is due. */
  long nextTickNanos() {
    return heartbeatNanos;
  }

  /** Whether its log has everything that was ever committed, and that is known. */
  boolean serves() {
    return hasBegun() && acceptor.log().committed() >= whole;
  }

  private boolean hasBegun() {
    return whole > 0;
  }

  /** Whether it may still lead: it reaches a majority, and comes on. */
  boolean works(long nowNanos) {
    long since = nowNanos - group.electionNanos();
    boolean reaches = Group.isMajority(followers.with(each -> each.heardNanos > since), members());
    return reaches && (hasBegun() || takeover.comesOn(since));
  }

  /** Sends again what was lost, or a sign of life. */
  void tick(long nowNanos, List<Effect> effects) {
    if (nowNanos < heartbeatNanos) {
      return;
    }
    heartbeatNanos = nowNanos + group.heartbeatNanos();
    if (!hasBegun()) {
      takeover.tick(nowNanos, effects);
      beginIfTaken(nowNanos, effects);
      return;
    }
    for (Follower follower : followers.all()) {
      if (follower.promise == null) {
        Followers.send(follower, new LogMessage.Prepare(ballot), effects);
      } else {
        follower.lookAgain();
        sendOne(follower, effects);
      }
    }
  }

  /** Another replica has answered. */
  void received(long from, LogMessage.ToLeader answer, long nowNanos, List<Effect> effects) {
    Follower follower = followers.get(from);
    if (follower == null) {
      return;
    }
    follower.heardNanos = nowNanos;
    switch (answer) {
      case LogMessage.Promise promise when follower.promise == null -> {
        follower.promise = promise;
        if (hasBegun()) {
          sync(follower, promise, effects);
        } else {
          takeover.promised(nowNanos, effects);
        }
      }
      case LogMessage.Fetched fetched when !hasBegun() ->
          takeover.fetched(follower, fetched, nowNanos, effects);
      case LogMessage.Synced(var by, var length) -> synced(follower, length, effects);
      case LogMessage.Accepted(var by, var length) -> accepted(follower, length, effects);
      case LogMessage.Promise again -> {}
      case LogMessage.Fetched late -> {}
    }
    beginIfTaken(nowNanos, effects);
  }

  private void beginIfTaken(long nowNanos, List<Effect> effects) {
    if (hasBegun() || takeover.taken() == null) {
      return;
    }
    whole = acceptor.log().length();
    followers.add(members(), nowNanos);
    commit();
    for (Follower follower : followers.all()) {
      LogMessage.Promise promise = follower.promise;
      if (promise != null) {
        sync(follower, promise, effects);
      }
    }
  }

  /** Up to where its log is the same: one that was accepted by the same ballot, or committed. */
  private void sync(Follower follower, LogMessage.Promise promise, List<Effect> effects) {
    if (promise.accepted().equals(ballot)) { // It was dropped, and is back.
      accepted(follower, promise.length(), effects);
      return;
    }
    boolean isSame = promise.accepted().equals(takeover.taken());
    follower.base = Math.min(isSame ? promise.length() : promise.committed(), whole - 1);
    follower.has = follower.base;
    follower.sent = follower.base;
    sendOne(follower, effects);
    sendMore(follower, whole, effects);
  }

  private void synced(Follower follower, long length, List<Effect> effects) {
    if (!follower.isWhole && length >= follower.has && length < whole) {
      follower.hasNow(length);
      sendMore(follower, whole, effects);
    }
  }

  private void accepted(Follower follower, long length, List<Effect> effects) {
    boolean mayHave = hasBegun() && length >= whole && length <= acceptor.log().length();
    if (mayHave && length >= follower.has) { // Else it is nonsense, or late.
      follower.isWhole = true;
      follower.hasNow(length);
      commit();
      sendMore(follower, acceptor.log().length(), effects);
    }
  }

  /** Puts an entry into the next slot. */
  long propose(Entry entry, List<Effect> effects) {
    long slot = acceptor.log().length();
    acceptor.log().add(entry);
    commit();
    for (Follower follower : followers.all()) {
      if (follower.isWhole && follower.sent == slot) {
        sendMore(follower, slot + 1, effects);
      }
    }
    return slot;
  }

  /** What a majority has is committed, and all before it. */
  private void commit() {
    List<Long> members = members();
    long[] lengths = new long[members.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = lengthAt(members.get(i));
    }
    Arrays.sort(lengths);
    acceptor.log().commit(lengths[(lengths.length - 1) / 2]);
  }

  /** How much of this log a replica has accepted; nothing counts of one that has not all of it. */
  private long lengthAt(long member) {
    if (member == group.self()) {
      return acceptor.log().length();
    }
    Follower follower = followers.get(member);
    return follower == null || !follower.isWhole ? NOTHING : follower.has;
  }

  /**
   * Comes one step nearer to these members: one at a time, since majorities have to meet.
   *
   * @param wanted as they should be; as they are if nobody said so
   */
  void change(List<Long> wanted, long nowNanos, List<Effect> effects) {
    if (!serves() || !acceptor.log().isSettled()) {
      return;
    }
    List<Long> members = members();
    followers.removeIf(each -> !members.contains(each) && !wanted.contains(each));
    followers.add(wanted, nowNanos);
    for (long each : wanted) {
      if (!members.contains(each) && lengthAt(each) + room() > acceptor.log().committed()) {
        List<Long> more = new ArrayList<>(members);
        more.add(each);
        propose(new Entry.Members(more), effects);
        return;
      }
    }
    List<Long> unwanted = members.stream().filter(each -> !wanted.contains(each)).toList();
    if (!unwanted.isEmpty() && unwanted.size() < members.size()) {
      boolean onlySelf = unwanted.equals(List.of(group.self()));
      long gone = onlySelf ? group.self() : without(unwanted, group.self()).getFirst();
      propose(new Entry.Members(without(members, gone)), effects);
    }
  }

  private static List<Long> without(List<Long> members, long gone) {
    return members.stream().filter(each -> each != gone).toList();
  }

  /** What others lack most when it leaves them. */
  void sayCommitted(List<Effect> effects) {
    for (Follower follower : followers.all()) {
      if (follower.isWhole) {
        sendOne(follower, effects);
      }
    }
  }

  /** Whether others are to go on without it, and can. */
  boolean hasLeft() {
    return acceptor.log().isSettled() && !members().contains(group.self());
  }

  private List<Long> members() {
    return acceptor.log().members();
  }

  /** What there is up to here and may be on its way already. */
  private void sendMore(Follower follower, long end, List<Effect> effects) {
    while (follower.sent < Math.min(end, follower.has + room())) {
      sendOne(follower, effects);
    }
  }

  /** What comes next, or a sign of life. */
  private void sendOne(Follower follower, List<Effect> effects) {
    Log log = acceptor.log();
    long from = follower.sent;
    long end = follower.isWhole ? log.length() : whole;
    List<Entry> entries = log.from(from, (int) Math.min(group.batchMax(), end - from));
    Followers.send(
        follower,
        follower.isWhole
            ? new LogMessage.Accept(ballot, from, entries, log.committed())
            : new LogMessage.Sync(ballot, follower.base, whole, from, entries),
        effects);
    follower.sent += entries.size();
  }

  private long room() {
    return (long) WINDOW * group.batchMax();
  }
}
