package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Consensus.Effect;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.SlotEntry;
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

  /** And so many bytes, unless it is one message. */
  private static final long WINDOW_BYTES = 8 << 20;

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

  /** Whether it has taken over what was there before. */
  boolean hasBegun() {
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
      case LogMessage.Synced(var by, var length) when follower.promise != null ->
          synced(follower, length, effects);
      case LogMessage.Accepted(var by, var length) when follower.promise != null ->
          accepted(follower, length, effects);
      case LogMessage.ToLeader late -> {} // It may have been asked anew meanwhile.
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
    long start = acceptor.log().start();
    boolean isBack = promise.accepted().equals(ballot); // It was dropped before.
    if (isBack && promise.length() >= start) {
      accepted(follower, promise.length(), effects);
      return;
    }
    boolean isSame = isBack || promise.accepted().equals(takeover.taken());
    long same = Math.min(isSame ? promise.length() : promise.committed(), whole - 1);
    follower.takesState = same < start;
    follower.base = follower.takesState ? start : same;
    follower.has = follower.base;
    follower.sent = follower.base;
    sendOne(follower, effects);
    sendMore(follower, wholeOf(follower), effects);
  }

  /** How long the log of a follower has to be to count: as long as the state that it takes. */
  private long wholeOf(Follower follower) {
    return Math.max(whole, follower.base);
  }

  private void synced(Follower follower, long length, List<Effect> effects) {
    if (!follower.isWhole && length >= follower.has && length <= wholeOf(follower)) {
      follower.hasNow(length);
      sendMore(follower, wholeOf(follower), effects);
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
  long propose(SlotEntry entry, List<Effect> effects) {
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
    boolean hasPlace = members.size() < SlotEntry.Members.COUNT_MAX;
    for (long each : wanted) {
      if (hasPlace
          && !members.contains(each)
          && lengthAt(each) + room() > acceptor.log().committed()) {
        List<Long> more = new ArrayList<>(members);
        more.add(each);
        propose(new SlotEntry.Members(more), effects);
        return;
      }
    }
    List<Long> unwanted = members.stream().filter(each -> !wanted.contains(each)).toList();
    if (!unwanted.isEmpty() && unwanted.size() < members.size()) {
      boolean onlySelf = unwanted.equals(List.of(group.self()));
      long gone = onlySelf ? group.self() : without(unwanted, group.self()).getFirst();
      propose(new SlotEntry.Members(without(members, gone)), effects);
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
    Log log = acceptor.log();
    while (follower.sent < Math.min(end, follower.has + room())
        && log.sizeBytes(follower.sent) - log.sizeBytes(follower.has) < WINDOW_BYTES) {
      sendOne(follower, effects);
    }
  }

  /**
   * What lies before a slot is about to be dropped: who has not come as far takes the state, and
   * begins again.
   */
  void drops(long slot) {
    for (Follower follower : followers.all()) {
      if (follower.promise != null && follower.has < slot) {
        follower.startOver();
      }
    }
  }

  /** Whether somebody takes the state with which the log begins, and would have to begin again. */
  boolean isGivingState() {
    return followers.with(each -> each.takesState && !each.isWhole).size() > 1;
  }

  /** What comes next, or a sign of life. */
  private void sendOne(Follower follower, List<Effect> effects) {
    Log log = acceptor.log();
    long from = follower.sent;
    long end = follower.isWhole ? log.length() : wholeOf(follower);
    long most = Math.min(group.batchMax(), end - from);
    List<SlotEntry> entries = log.from(from, most, group.batchMaxBytes());
    Followers.send(
        follower,
        follower.isWhole
            ? new LogMessage.Accept(ballot, from, entries, log.committed())
            : new LogMessage.Sync(
                ballot, follower.base, follower.takesState, wholeOf(follower), from, entries),
        effects);
    follower.sent += entries.size();
  }

  private long room() {
    return (long) WINDOW * group.batchMax();
  }
}
