package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Consensus.Effect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A replica that leads by one ballot, or is about to. It takes over the log that may have been
 * committed before it, and then makes that longer; all that it ever sends is a part of one log that
 * only grows.
 */
final class Leader {
  /** So many times as much as one message holds may be on its way to one replica. */
  private static final int WINDOW = 16;

  private static final long NOTHING = Long.MIN_VALUE / 2;

  /** What has overtaken a message is answered like this; after more, that one is lost. */
  private static final int REPEATS_MAX = 3;

  /** Of two logs, the one that may have more of what is committed comes last. */
  private static final Comparator<LogMessage.Promise> BY_LOG =
      Comparator.comparing(LogMessage.Promise::accepted)
          .thenComparingLong(LogMessage.Promise::length);

  private final Group group;
  private final Ballot ballot;
  private final Acceptor acceptor;
  private final Map<Long, Follower> followers = new LinkedHashMap<>();

  /** Whose log is taken over, until it is here. */
  private @Nullable Follower source;

  private final List<Entry> fetched = new ArrayList<>();
  private long fetchFrom;

  /** By which ballot the log was accepted that was taken over; null until it is here. */
  private @Nullable Ballot takenOver;

  /** The length of that log, and of what this leader began with. */
  private long whole;

  private long progressNanos;
  private long heartbeatNanos;

  /** By a ballot that this replica itself has promised. */
  Leader(Group group, Acceptor acceptor, long nowNanos) {
    this.group = group;
    this.acceptor = acceptor;
    this.ballot = acceptor.promised();
    this.progressNanos = nowNanos;
    this.heartbeatNanos = nowNanos;
    add(acceptor.log().members(), nowNanos);
  }

  private void add(Collection<Long> members, long nowNanos) {
    for (long each : members) {
      if (each != group.self() && !followers.containsKey(each)) {
        followers.put(each, new Follower(each, nowNanos));
      }
    }
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
    return takenOver != null && acceptor.log().committed() >= whole;
  }

  /** Whether it may still lead: it reaches a majority, and comes on. */
  boolean works(long nowNanos) {
    long since = nowNanos - group.electionNanos();
    boolean reaches = Group.isMajority(those(each -> each.heardNanos > since), members());
    return reaches && (takenOver != null || progressNanos > since);
  }

  /** Sends again what was lost, or a sign of life. */
  void tick(long nowNanos, List<Effect> effects) {
    if (nowNanos < heartbeatNanos) {
      return;
    }
    heartbeatNanos = nowNanos + group.heartbeatNanos();
    for (Follower follower : followers.values()) {
      if (follower == source) {
        fetch(follower, effects);
      } else if (follower.promise == null || takenOver == null) {
        send(follower, new LogMessage.Prepare(ballot), effects);
      } else {
        follower.sent = follower.has == follower.hadAtTick ? follower.has : follower.sent;
        follower.hadAtTick = follower.has;
        sendOne(follower, effects);
      }
    }
    chooseLog(nowNanos, effects); // Alone it is a majority.
  }

  /** Another replica has answered. */
  void received(long from, LogMessage.ToLeader answer, long nowNanos, List<Effect> effects) {
    Follower follower = followers.get(from);
    if (follower == null) {
      return;
    }
    follower.heardNanos = nowNanos;
    switch (answer) {
      case LogMessage.Promise promise -> promised(follower, promise, nowNanos, effects);
      case LogMessage.Fetched fetched -> fetched(follower, fetched, nowNanos, effects);
      case LogMessage.Synced(var by, var length) -> synced(follower, length, effects);
      case LogMessage.Accepted(var by, var length) -> accepted(follower, length, effects);
    }
  }

  private void promised(
      Follower follower, LogMessage.Promise promise, long nowNanos, List<Effect> effects) {
    if (follower.promise != null) {
      return;
    }
    follower.promise = promise;
    progressNanos = nowNanos;
    if (takenOver == null) {
      chooseLog(nowNanos, effects);
    } else {
      beginSync(follower, effects);
    }
  }

  /**
   * A majority has promised: what any other majority may have accepted is among their logs. If the
   * latest of these says that the members are others by now, a majority of those has to promise,
   * too: one of them may know of a later change.
   */
  private void chooseLog(long nowNanos, List<Effect> effects) {
    Set<Long> promised = those(each -> each.promise != null);
    if (takenOver != null || source != null || !Group.isMajority(promised, members())) {
      return;
    }
    LogMessage.Promise own = acceptor.promise();
    LogMessage.Promise best = own;
    Follower bestFrom = null;
    for (Follower follower : followers.values()) {
      LogMessage.Promise other = follower.promise;
      if (other != null && BY_LOG.compare(other, best) > 0) {
        best = other;
        bestFrom = follower;
      }
    }
    if (!best.members().contains(group.self())) {
      return; // It has left the group, or never came in; others will lead.
    }
    if (!Group.isMajority(promised, best.members())) {
      add(best.members(), nowNanos); // They are asked with the next heartbeat.
    } else if (bestFrom == null) {
      takeOver(own.accepted(), own.length(), List.of(), effects);
    } else {
      source = bestFrom;
      fetchFrom = best.accepted().equals(own.accepted()) ? own.length() : own.committed();
      fetch(bestFrom, effects);
    }
  }

  private void fetch(Follower from, List<Effect> effects) {
    send(from, new LogMessage.Fetch(ballot, fetchFrom + fetched.size()), effects);
  }

  private void fetched(
      Follower follower, LogMessage.Fetched part, long nowNanos, List<Effect> effects) {
    boolean isNext = follower == source && part.from() == fetchFrom + fetched.size();
    if (!isNext || part.entries().isEmpty()) {
      return;
    }
    LogMessage.Promise promise = follower.promise;
    progressNanos = nowNanos;
    fetched.addAll(part.entries());
    if (promise != null && fetchFrom + fetched.size() >= promise.length()) {
      source = null;
      takeOver(promise.accepted(), fetchFrom, fetched, effects);
    } else {
      fetch(follower, effects);
    }
  }

  private void takeOver(Ballot accepted, long from, List<Entry> entries, List<Effect> effects) {
    acceptor.lead(from, entries);
    fetched.clear();
    takenOver = accepted;
    whole = acceptor.log().length();
    add(members(), progressNanos);
    commit();
    for (Follower follower : followers.values()) {
      if (follower.promise != null) {
        beginSync(follower, effects);
      }
    }
  }

  /** Up to where its log is the same: one that was accepted by the same ballot, or committed. */
  private void beginSync(Follower follower, List<Effect> effects) {
    LogMessage.Promise promise = follower.promise;
    if (promise == null) {
      return;
    }
    if (promise.accepted().equals(ballot)) { // It was dropped, and is back.
      accepted(follower, promise.length(), effects);
      return;
    }
    boolean isSame = promise.accepted().equals(takenOver);
    follower.base = isSame ? Math.min(promise.length(), whole - 1) : promise.committed();
    follower.has = follower.base;
    follower.sent = follower.base;
    sendOne(follower, effects);
    sendMore(follower, whole, effects);
  }

  private void synced(Follower follower, long length, List<Effect> effects) {
    if (takenOver != null && !follower.isWhole && length >= follower.has && length < whole) {
      hasNow(length, follower);
      sendMore(follower, whole, effects);
    }
  }

  private void accepted(Follower follower, long length, List<Effect> effects) {
    if (takenOver == null || length < whole || length > acceptor.log().length()) {
      return; // It cannot have that from this leader.
    }
    if (length < follower.has) {
      return; // It was said before.
    }
    follower.isWhole = true;
    hasNow(length, follower);
    commit();
    sendMore(follower, acceptor.log().length(), effects);
  }

  /** Who says the same again and again lacks what comes next. */
  private static void hasNow(long length, Follower follower) {
    follower.repeats = length == follower.has ? follower.repeats + 1 : 0;
    follower.has = length;
    follower.sent = Math.max(follower.sent, length);
    if (follower.repeats >= REPEATS_MAX && length >= follower.againThrough) {
      follower.repeats = 0;
      follower.againThrough = follower.sent;
      follower.sent = length;
    }
  }

  /** Puts an entry into the next slot. */
  long propose(Entry entry, List<Effect> effects) {
    long slot = acceptor.log().length();
    acceptor.log().add(entry);
    commit();
    for (Follower follower : followers.values()) {
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
   * @param wanted as they should be; none if nobody said so
   */
  void change(List<Long> wanted, long nowNanos, List<Effect> effects) {
    if (!serves() || !acceptor.log().isSettled()) {
      return;
    }
    List<Long> members = members();
    followers.keySet().removeIf(each -> !members.contains(each) && !wanted.contains(each));
    add(wanted, nowNanos);
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
    for (Follower follower : followers.values()) {
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

  /** This replica, and those of the others of which it holds. */
  private Set<Long> those(Predicate<Follower> of) {
    Set<Long> all = new LinkedHashSet<>();
    all.add(group.self());
    followers.values().stream().filter(of).forEach(each -> all.add(each.replica));
    return all;
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
    send(
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

  private static void send(Follower to, LogMessage message, List<Effect> effects) {
    effects.add(new Effect.Send(to.replica, message));
  }
}
