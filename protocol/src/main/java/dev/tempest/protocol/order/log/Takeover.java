package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogMessage.VotesBeyond;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a replica that is about to lead comes to the log that may have been committed before it: a
 * majority promises to follow nobody below, and it takes the latest of their logs.
 */
final class Takeover {
  /** Of two logs, the one that may have more of what is committed comes last. */
  private static final Comparator<LogMessage.Promise> BY_LOG =
      Comparator.comparing(LogMessage.Promise::accepted)
          .thenComparingLong(LogMessage.Promise::length);

  /** Of two that are the same, the one that begins earlier: more of it can be fetched. */
  private static final Comparator<LogMessage.Promise> BY_USE =
      BY_LOG.thenComparing(Comparator.comparingLong(LogMessage.Promise::start).reversed());

  /** For so many elections disks are waited for: others may have faster ones. */
  private static final int STORES_ELECTIONS = 50;

  private final Group group;
  private final Ballot ballot;
  private final Acceptor acceptor;
  private final Followers followers;

  /** With whom it leads; nobody if the log says that. */
  private final List<Long> members;

  /** Whose log is taken, until it is here. */
  private @Nullable Follower source;

  private final List<SlotEntry> fetched = new ArrayList<>();
  private long fetchFrom;

  /** By which ballot that log was accepted; null until it is here. */
  private @Nullable Ballot taken;

  /** How long that log was. */
  private long length;

  /** What those had voted for beyond their logs whose promises count, and how many they are. */
  private final List<VotesBeyond> votes = new ArrayList<>();

  private int promises;

  /** Whether its own promise is stored: nobody is asked before. */
  private boolean asks;

  private long asksNanos;

  /** Whether it lacks promises, and nothing else. */
  private boolean lacksPromises = true;

  private long progressNanos;

  Takeover(Group group, Acceptor acceptor, Followers followers, List<Long> members, long nowNanos) {
    this.group = group;
    this.acceptor = acceptor;
    this.followers = followers;
    this.members = members;
    this.ballot = acceptor.promised();
    this.progressNanos = nowNanos;
  }

  /** By which ballot the log was accepted that was taken over; null until it is here. */
  @Nullable Ballot taken() {
    return taken;
  }

  /** How long that log was: what comes after that is its own. */
  long length() {
    return length;
  }

  /** Whether it has asked the others: its own promise was to be stored first. */
  boolean asks() {
    return asks;
  }

  /** Whether its own promise may still be stored. */
  boolean waitsForDisk(long nowNanos) {
    return nowNanos - progressNanos < STORES_ELECTIONS * group.electionNanos();
  }

  /** Its own promise is stored. */
  void ask(long nowNanos) {
    asks = true;
    asksNanos = nowNanos;
    progressNanos = nowNanos;
  }

  /** Whether something has come since then. */
  boolean comesOn(long sinceNanos) {
    return progressNanos > sinceNanos;
  }

  /** Asks again. */
  void tick(long nowNanos, List<Effect> effects) {
    if (!asks) {
      Vows.send(group.self(), new LogMessage.Prepare(ballot), effects);
    }
    for (Follower follower : followers.all()) {
      if (follower == source) {
        fetch(follower, effects);
      } else {
        Followers.send(follower, new LogMessage.Prepare(ballot), effects);
      }
    }
    choose(nowNanos, effects); // Alone it is a majority.
  }

  /** A replica follows it, and what it promises is about to be stored. */
  void stores(Follower follower, long nowNanos) {
    long sinceNanos = nowNanos - STORES_ELECTIONS * group.electionNanos();
    if (lacksPromises && follower.promise == null && asksNanos > sinceNanos) {
      progressNanos = nowNanos;
    }
  }

  void promised(long nowNanos, List<Effect> effects) {
    progressNanos = nowNanos;
    choose(nowNanos, effects);
  }

  /**
   * A majority has promised: what any other majority may have accepted is among their logs. If the
   * latest of these says that the members are others by now, a majority of those has to promise,
   * too: one of them may know of a later change.
   */
  private void choose(long nowNanos, List<Effect> effects) {
    if (!members.isEmpty()) {
      take(acceptor.promise().accepted(), acceptor.log().length(), List.of());
      return;
    }
    Set<Long> promised = followers.with(each -> each.promise != null);
    lacksPromises = !group.quorum().accepts(promised, acceptor.log().members());
    if (source != null || lacksPromises) {
      return;
    }
    LogMessage.Promise own = acceptor.promise();
    LogMessage.Promise best = own;
    Follower bestFrom = null;
    for (Follower follower : followers.all()) {
      LogMessage.Promise other = follower.promise;
      var order = bestFrom == null ? BY_LOG : BY_USE; // Its own is here as far as it goes.
      if (other != null && order.compare(other, best) > 0) {
        best = other;
        bestFrom = follower;
      }
    }
    if (bestFrom != null && !best.members().contains(group.self())) {
      return; // It has left the group, or never came in; others will lead.
    }
    lacksPromises = !group.quorum().accepts(promised, best.members());
    if (lacksPromises) {
      followers.add(best.members(), nowNanos); // They are asked with the next heartbeat.
      return;
    }
    countVotes(best);
    if (bestFrom == null) {
      take(own.accepted(), own.length(), List.of());
    } else {
      fetchFrom = best.accepted().equals(own.accepted()) ? own.length() : own.committed();
      if (fetchFrom >= best.start()) {
        source = bestFrom;
        fetch(bestFrom, effects);
      } else { // It lacks more than that log has: another one may have it, or will lead.
        lacksPromises = true;
      }
    }
  }

  /** Those of the ballot by which the latest log was accepted: it has what was chosen earlier. */
  private void countVotes(LogMessage.Promise best) {
    votes.clear();
    promises = 0;
    if (best.members().contains(group.self())) {
      countVotes(acceptor.promise(), acceptor.votes().all(), best);
    }
    for (Follower follower : followers.all()) {
      LogMessage.Promise promise = follower.promise;
      VotesBeyond voted = follower.voted;
      if (promise != null && best.members().contains(follower.replica)) {
        countVotes(promise, voted, best);
      }
    }
  }

  private void countVotes(
      LogMessage.Promise of, @Nullable VotesBeyond voted, LogMessage.Promise best) {
    promises++;
    if (voted != null && of.accepted().equals(best.accepted())) {
      votes.add(voted);
    }
  }

  private void fetch(Follower from, List<Effect> effects) {
    Followers.send(from, new LogMessage.Fetch(ballot, fetchFrom + fetched.size()), effects);
  }

  void fetched(Follower from, LogMessage.Fetched part, long nowNanos, List<Effect> effects) {
    LogMessage.Promise promise = from.promise;
    boolean isNext = from == source && part.from() == fetchFrom + fetched.size();
    if (promise == null || !isNext || part.entries().isEmpty()) {
      return;
    }
    progressNanos = nowNanos;
    fetched.addAll(part.entries());
    if (fetchFrom + fetched.size() >= promise.length()) {
      take(promise.accepted(), fetchFrom, fetched);
    } else {
      fetch(from, effects);
    }
  }

  private void take(Ballot accepted, long from, List<SlotEntry> entries) {
    length = from + entries.size();
    acceptor.take(from, entries);
    int needed = Chosen.needed(group, promises, acceptor.log().members().size());
    acceptor.lead(Chosen.of(acceptor.log(), votes, needed), members);
    source = null;
    fetched.clear();
    taken = accepted;
  }
}
