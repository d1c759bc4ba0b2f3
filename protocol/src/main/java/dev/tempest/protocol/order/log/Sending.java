package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.SlotEntry;
import java.util.List;

/**
 * How the log of a leader comes to the others: so much at a time, again what is lost, and no more
 * on its way to one than a window. Not thread-safe.
 */
final class Sending {
  /** So many times as much as one message holds may be on its way to one replica. */
  private static final int WINDOW = 16;

  /** And so many bytes, unless it is one message. */
  private static final long WINDOW_BYTES = 8 << 20;

  private final Group group;
  private final Ballot ballot;
  private final Acceptor acceptor;

  /** The length of the log with which the leader began. */
  private long whole;

  /** Whether what enough members have is committed. */
  private boolean commits;

  Sending(Group group, Acceptor acceptor, boolean commits) {
    this.group = group;
    this.acceptor = acceptor;
    this.ballot = acceptor.promised();
    this.commits = commits;
  }

  /** The leader begins with a log of this length. */
  void begin(long length) {
    whole = length;
  }

  /** From now on what enough members have is committed. */
  void mayCommit() {
    commits = true;
  }

  /** What comes next, again if it is lost; or a sign of life, which overtakes what is large. */
  void pulse(Follower follower, long nowNanos, List<Effect> effects) {
    if (follower.isLate(nowNanos, patienceNanos(follower.has))) {
      follower.sendAgain(nowNanos);
    }
    if (follower.sent < endFor(follower) && hasRoom(follower)) {
      sendNext(follower, nowNanos, effects);
    } else {
      send(follower, List.of(), nowNanos, effects);
    }
  }

  /** How long an entry may be on its way before it counts as lost. */
  private long patienceNanos(long slot) {
    long messages = sizeBytes(slot) / group.batchMaxBytes();
    return group.heartbeatNanos() * (1 + messages);
  }

  private long sizeBytes(long slot) {
    Log log = acceptor.log();
    return slot < log.length() ? log.sizeBytes(slot + 1) - log.sizeBytes(slot) : 0;
  }

  /** Whether an entry is one of many that travel together: else signs of life overtake it. */
  boolean isSmall(long slot) {
    return sizeBytes(slot) <= group.batchMaxBytes();
  }

  /** How long the log of a follower has to be to count: as long as the state that it takes. */
  long wholeOf(Follower follower) {
    return Math.max(whole, follower.base);
  }

  /** What there is up to here and may be on its way already. */
  void sendMore(Follower follower, long end, long nowNanos, List<Effect> effects) {
    while (follower.sent < end && hasRoom(follower)) {
      sendNext(follower, nowNanos, effects);
    }
  }

  /** Whether more may be on its way to it. */
  private boolean hasRoom(Follower follower) {
    Log log = acceptor.log();
    return follower.sent < follower.has + room()
        && log.sizeBytes(follower.sent) - log.sizeBytes(follower.has) < WINDOW_BYTES;
  }

  /** Whether no more than that lies between two slots. */
  boolean isWithinWindow(long from, long to) {
    Log log = acceptor.log();
    return to <= from + room() && log.sizeBytes(to) - log.sizeBytes(from) <= WINDOW_BYTES;
  }

  /** What comes next, if there is something. */
  void sendNext(Follower follower, long nowNanos, List<Effect> effects) {
    long most = Math.min(group.batchMax(), endFor(follower) - follower.sent);
    send(
        follower,
        acceptor.log().from(follower.sent, most, group.batchMaxBytes()),
        nowNanos,
        effects);
  }

  /** How much is committed, if it was not told so much. */
  void sayCommitted(Follower follower, long nowNanos, List<Effect> effects) {
    if (follower.isWhole && follower.toldCommitted < acceptor.log().committed()) {
      send(follower, List.of(), nowNanos, effects);
    }
  }

  private void send(
      Follower follower, List<SlotEntry> entries, long nowNanos, List<Effect> effects) {
    long committed = acceptor.log().committed();
    long from = follower.sent;
    Followers.send(
        follower,
        follower.isWhole
            ? new LogMessage.Accept(
                ballot, from, entries, committed, commits && group.followersCommit())
            : new LogMessage.Sync(
                ballot, follower.base, follower.takesState, wholeOf(follower), from, entries),
        effects);
    follower.sends(entries.size(), nowNanos);
    follower.toldCommitted = follower.isWhole ? committed : 0;
  }

  private long endFor(Follower follower) {
    return follower.isWhole ? acceptor.log().length() : wholeOf(follower);
  }

  private long room() {
    return (long) WINDOW * group.batchMax();
  }
}
