package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Consensus.Effect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica that leads by one ballot, or is about to. It takes over the log that may have been
 * committed before it, and then makes that longer; all that it ever sends is a part of one log that
 * only grows.
 */
final class Leader {
  /** So many messages with entries may be on their way to one replica. */
  private static final int WINDOW = 16;

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
    group.others().forEach(each -> followers.put(each, new Follower(each, nowNanos)));
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
    long heard = followers.values().stream().filter(each -> each.heardNanos > since).count();
    return heard + 1 >= group.majority() && (takenOver != null || progressNanos > since);
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
        sendNext(follower, effects);
      }
    }
    chooseLog(effects); // Alone it is a majority.
  }

  void promised(long from, LogMessage.Promise promise, long nowNanos, List<Effect> effects) {
    Follower follower = heard(from, nowNanos);
    if (follower == null || follower.promise != null) {
      return;
    }
    follower.promise = promise;
    progressNanos = nowNanos;
    if (takenOver == null) {
      chooseLog(effects);
    } else {
      beginSync(follower, effects);
    }
  }

  /** A majority has promised: what any other majority may have accepted is among their logs. */
  private void chooseLog(List<Effect> effects) {
    long promises = followers.values().stream().filter(each -> each.promise != null).count();
    if (takenOver != null || source != null || promises + 1 < group.majority()) {
      return;
    }
    LogMessage.Promise own = acceptor.promise();
    LogMessage.Promise best = own;
    for (Follower follower : followers.values()) {
      LogMessage.Promise other = follower.promise;
      if (other != null && isLater(other, best)) {
        best = other;
        source = follower;
      }
    }
    if (source == null) {
      takeOver(own.accepted(), own.length(), List.of(), effects);
    } else {
      fetchFrom = best.accepted().equals(own.accepted()) ? own.length() : own.committed();
      fetch(source, effects);
    }
  }

  private static boolean isLater(LogMessage.Promise one, LogMessage.Promise other) {
    int accepted = one.accepted().compareTo(other.accepted());
    return accepted > 0 || accepted == 0 && one.length() > other.length();
  }

  private void fetch(Follower from, List<Effect> effects) {
    send(from, new LogMessage.Fetch(ballot, fetchFrom + fetched.size()), effects);
  }

  void fetched(long from, LogMessage.Fetched part, long nowNanos, List<Effect> effects) {
    Follower follower = heard(from, nowNanos);
    if (follower == null || follower != source || part.from() != fetchFrom + fetched.size()) {
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
    boolean isSame = promise.accepted().equals(takenOver);
    follower.base = isSame ? Math.min(promise.length(), whole - 1) : promise.committed();
    follower.has = follower.base;
    follower.sent = follower.base;
    sendNext(follower, effects);
  }

  void synced(long from, long length, long nowNanos, List<Effect> effects) {
    Follower follower = heard(from, nowNanos);
    if (follower != null && !follower.isWhole && length > follower.has && length < whole) {
      follower.has = length;
      follower.sent = length;
      sendNext(follower, effects);
    }
  }

  void accepted(long from, long length, long nowNanos, List<Effect> effects) {
    Follower follower = heard(from, nowNanos);
    if (follower == null || length < whole || length > acceptor.log().length()) {
      return; // It cannot have that from this leader.
    }
    follower.isWhole = true;
    follower.has = Math.max(follower.has, length);
    follower.sent = Math.max(follower.sent, follower.has);
    commit();
    if (follower.sent < Math.min(acceptor.log().length(), follower.has + room())) {
      sendNext(follower, effects);
    }
  }

  /** Puts an entry into the next slot. */
  long propose(Entry entry, List<Effect> effects) {
    long slot = acceptor.log().length();
    acceptor.log().add(entry);
    commit();
    for (Follower follower : followers.values()) {
      if (follower.isWhole && follower.sent == slot && slot < follower.has + room()) {
        sendNext(follower, effects);
      }
    }
    return slot;
  }

  /** What a majority has is committed, and all before it. */
  private void commit() {
    long[] lengths = new long[group.members().size()];
    int at = 0;
    lengths[at++] = acceptor.log().length();
    for (Follower follower : followers.values()) {
      lengths[at++] = follower.isWhole ? follower.has : 0;
    }
    Arrays.sort(lengths);
    acceptor.log().commit(lengths[lengths.length - group.majority()]);
  }

  private void sendNext(Follower follower, List<Effect> effects) {
    if (follower.isWhole) {
      sendAccepts(follower, effects);
    } else {
      int most = (int) Math.min(group.batchMax(), whole - follower.has);
      List<Entry> entries = acceptor.log().from(follower.has, most);
      send(
          follower,
          new LogMessage.Sync(ballot, follower.base, whole, follower.has, entries),
          effects);
    }
  }

  private long room() {
    return (long) WINDOW * group.batchMax();
  }

  /** At least one, as a sign of life. */
  private void sendAccepts(Follower follower, List<Effect> effects) {
    Log log = acceptor.log();
    do {
      List<Entry> entries = log.from(follower.sent, group.batchMax());
      send(
          follower,
          new LogMessage.Accept(ballot, follower.sent, entries, log.committed()),
          effects);
      follower.sent += entries.size();
    } while (follower.sent < log.length()
        && follower.sent < follower.has + room());
  }

  private @Nullable Follower heard(long from, long nowNanos) {
    Follower follower = followers.get(from);
    if (follower != null) {
      follower.heardNanos = nowNanos;
    }
    return follower;
  }

  private static void send(Follower to, LogMessage message, List<Effect> effects) {
    effects.add(new Effect.Send(to.replica, message));
  }
}
