package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogMessage.VotesBeyond;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * What an acceptor has voted for beyond its log, in one fast period of the ballot by which that was
 * accepted (Lamport, Fast Paxos; Zhang, chapter V). What the log gets after that takes the place of
 * the votes if it is the same; else these came to nothing.
 *
 * <p>Each place has a hash of all entries from the beginning of the period on: whoever has the same
 * one has voted for the same.
 *
 * <p>Not thread-safe.
 */
final class Votes {
  /** A vote, and the hash of the period through it. */
  private record Placed(SlotEntry.Called entry, long hash) {}

  private final Log log;
  private final List<Placed> placed = new ArrayList<>();

  /** The period of these, or a later one; 0 before the first. */
  private long period;

  /** The latest one in which it votes no more. */
  private long closed;

  private boolean isOpen;

  /** Whether it has stopped to vote since that was {@linkplain #takeStopped taken}. */
  private boolean hasStopped;

  /** The hash of the period through the end of the log. */
  private long hashOfLog;

  private long sizeBytes;

  /** When to tell the leader of the latest ones. */
  private long tellNanos = Long.MAX_VALUE;

  Votes(Log log) {
    this.log = log;
  }

  /** Up to where it has accepted or voted. */
  long end() {
    return log.length() + placed.size();
  }

  /** Whether it may vote in the period that it has heard of last. */
  boolean isOpen() {
    return isOpen;
  }

  /** Whether its leader has spoken of no period. */
  boolean isUnheardOf() {
    return period == 0;
  }

  /** Whether there is no room for one more: all travel in one message. */
  boolean areFull(Group group) {
    return placed.size() >= group.batchMax() || sizeBytes >= group.batchMaxBytes();
  }

  /** The log was accepted by another ballot: what may have been chosen before is in it. */
  void startOver() {
    stop();
    placed.clear();
    sizeBytes = 0;
    period = 0;
    closed = 0;
  }

  /**
   * The log has become longer at once, and some of that is not here.
   *
   * @param before all that it had voted for
   */
  void skip(VotesBeyond before) {
    stop();
    int known = (int) Math.min(placed.size(), log.length() - before.from());
    List<Placed> beyond = List.of();
    if (Chosen.continues(log, before)) {
      beyond = new ArrayList<>(placed.subList(known, placed.size()));
    }
    placed.clear();
    placed.addAll(beyond);
    sizeBytes = placed.stream().mapToLong(each -> each.entry().sizeBytes()).sum();
  }

  /** It votes no more in the period that it has heard of last. */
  void stop() {
    hasStopped |= isOpen;
    isOpen = false;
    tellNanos = Long.MAX_VALUE;
    closed = Math.max(closed, period);
  }

  /** Whether it has stopped to vote since this was asked last. */
  boolean takeStopped() {
    boolean has = hasStopped;
    hasStopped = false;
    return has;
  }

  /** It votes no more in a period, whether it has heard of it or not. */
  void close(long which) {
    if (which >= period) {
      stop();
    }
    closed = Math.max(closed, which);
  }

  /**
   * A period has begun, or goes on. What was voted for in an earlier one is needed until the log is
   * as long as that: all that was chosen is in there by then.
   */
  void begin(LogMessage.Period said) {
    if (said.number() <= period || said.start() > log.length()) {
      return;
    }
    stop();
    placed.clear();
    sizeBytes = 0;
    period = said.number();
    if (said.isFast() && period > closed && said.start() >= log.start()) {
      log.commit(said.start());
      hashOfLog = hashOf(said.ballot(), period, said.start());
      isOpen = true;
      for (long slot = said.start(); slot < log.length(); slot++) {
        follow(log.get(slot));
      }
    }
  }

  private static long hashOf(Ballot ballot, long period, long start) {
    return Mix.mix(Mix.hash(ballot.replica(), ballot.number()) + Mix.hash(period, start));
  }

  private void follow(SlotEntry entry) {
    if (entry instanceof SlotEntry.Called called) {
      hashOfLog = hash(hashOfLog, called);
    } else {
      stop(); // The leader has proposed it: the period is over.
    }
  }

  private static long hash(long before, SlotEntry.Called entry) {
    long asked = Mix.hash(Mix.hash(entry.id()), entry.millis());
    long call = Mix.hash(entry.call().method(), entry.call().arguments().stableHash());
    return Mix.mix(before + Mix.hash(asked + call, entry.answeredBelow() ^ entry.outcome()));
  }

  /** Votes for what is to have the next place. */
  void add(SlotEntry.Called entry) {
    Invariant.check(isOpen, "it votes while a period is open");
    placed.add(new Placed(entry, hash(hashAt(end()), entry)));
    sizeBytes += entry.sizeBytes();
  }

  /** The hash of the period before a slot: the end of the log, or one after it. */
  long hashAt(long slot) {
    long length = log.length();
    return slot == length ? hashOfLog : placed.get((int) (slot - length) - 1).hash();
  }

  /** What it has voted for in places from the end of the log to a slot. */
  List<SlotEntry.Called> before(long slot) {
    return placed.subList(0, (int) (slot - log.length())).stream().map(Placed::entry).toList();
  }

  /** The next entry was put into the log. */
  void added(SlotEntry entry) {
    if (placed.isEmpty()) {
      if (isOpen) {
        follow(entry);
      }
    } else if (placed.getFirst().entry().equals(entry)) {
      Placed first = placed.removeFirst();
      hashOfLog = first.hash();
      sizeBytes -= first.entry().sizeBytes();
    } else {
      stop();
      placed.clear();
      sizeBytes = 0;
    }
  }

  /** The leader is to hear of the latest one soon, with those that come until then. */
  void tellSoon(long nowNanos, Group group) {
    boolean areMany =
        placed.size() >= group.batchMax() / 2 || sizeBytes >= group.batchMaxBytes() / 2;
    long togetherNanos = areMany ? 0 : group.votesTogetherNanos();
    tellNanos = Math.min(tellNanos, nowNanos + togetherNanos);
  }

  /** Somebody waits for that. */
  void hurry() {
    tellNanos = tellNanos == Long.MAX_VALUE ? tellNanos : Long.MIN_VALUE;
  }

  /** When to tell the leader. */
  long tellNanos() {
    return tellNanos;
  }

  /** Whether to tell the leader now; that is about to be done. */
  boolean takeTold(long nowNanos) {
    boolean isTime = nowNanos >= tellNanos;
    tellNanos = isTime ? Long.MAX_VALUE : tellNanos;
    return isTime;
  }

  /** What to tell the leader that it follows. */
  LogMessage.Vote vote(Ballot ballot) {
    return new LogMessage.Vote(ballot, period, end(), hashAt(end()));
  }

  /** Whether it has votes that are not in its log. */
  boolean isEmpty() {
    return placed.isEmpty();
  }

  /** All of it. */
  VotesBeyond all() {
    return new VotesBeyond(log.length(), log.hash(), before(end()));
  }

  void checkInvariants() {
    Invariant.check(!isOpen || period > closed, "it does not vote in what is closed");
  }
}
