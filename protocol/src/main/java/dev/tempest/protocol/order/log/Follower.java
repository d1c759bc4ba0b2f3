package dev.tempest.protocol.order.log;

import dev.tempest.wire.LogMessage;
import org.jspecify.annotations.Nullable;

/** What a leader knows of another replica. */
final class Follower {
  /** What has overtaken a message is answered like this; after more, that one is lost. */
  private static final int REPEATS_MAX = 3;

  /** Before any clock began. */
  static final long NEVER = Long.MIN_VALUE / 2;

  final long replica;

  /** What it promised this leader; null until it has. */
  LogMessage.@Nullable Promise promise;

  /** What it had voted for then, beyond its log; null for nothing. */
  LogMessage.@Nullable VotesBeyond voted;

  /** Whether it has the log with which the leader began: what it accepts counts from then on. */
  boolean isWhole;

  /** It has so much of the leader's log. */
  long has;

  /** How often it has said so since it has that. */
  private int repeats;

  /** Up to here everything was sent again: until it has that, it says what it did before. */
  private long againThrough;

  /** So much was sent to it, and may be on its way. */
  long sent;

  /** How many entries were committed when it was told so last. */
  long toldCommitted;

  /** When it had more than before, or was sent something again. */
  private long cameOnNanos;

  long heardNanos;

  /** Since when it is silent: it was heard then, or later if the leader could not hear. */
  long silentNanos;

  /** It was asked then, by the leader's clock, to follow nobody else for a while, and does not. */
  long leasedNanos = NEVER;

  /** Up to here its log was the same before anything was sent. */
  long base;

  /** Or it was not, and it takes the state with which the leader's log begins. */
  boolean takesState;

  // Of the period that is open.

  /** Its latest vote ends there, and has this hash. */
  long votedThrough;

  long votedHash;

  /** So far it has voted for the same as the leader; or it has not, and never will again. */
  long sameThrough;

  boolean differs;

  /** What it had voted for when it stopped; null until it has. */
  LogMessage.@Nullable VotesBeyond closed;

  Follower(long replica, long nowNanos) {
    this.replica = replica;
    isHeard(nowNanos);
  }

  void isHeard(long nowNanos) {
    heardNanos = nowNanos;
    silentNanos = nowNanos;
  }

  /** Another period begins. */
  void forgetVotes() {
    votedThrough = 0;
    sameThrough = 0;
    differs = false;
    closed = null;
  }

  /** Whether that state is still on its way. */
  boolean lacksState() {
    return takesState && !isWhole;
  }

  /** It is asked again what it has. */
  void startOver() {
    promise = null;
    isWhole = false;
    takesState = false;
    base = 0;
    begin(0);
  }

  /** It has so much, and nothing is on its way. */
  void begin(long length) {
    has = length;
    sent = length;
    repeats = 0;
    againThrough = 0;
  }

  /** What comes next is sent, at this time. */
  void sends(int entries, long nowNanos) {
    if (sent == has) {
      cameOnNanos = nowNanos;
      repeats = 0; // It had nothing more to say.
    }
    sent += entries;
  }

  /** It says that it has so much; less than before if it had to begin again. */
  void hasNow(long length, long nowNanos) {
    repeats = length == has ? repeats + 1 : 0;
    if (length > has) {
      cameOnNanos = nowNanos;
    }
    has = length;
    sent = Math.max(sent, length);
  }

  /** Whether it says the same again and again: what comes next is lost, unless that is slow. */
  boolean lacksNext() {
    return repeats >= REPEATS_MAX && has >= againThrough && sent > has;
  }

  /** Whether it has had no more for so long, though something was sent. */
  boolean isLate(long nowNanos, long patienceNanos) {
    return sent > has && nowNanos - cameOnNanos >= patienceNanos;
  }

  /** What was sent is lost. */
  void sendAgain(long nowNanos) {
    repeats = 0;
    againThrough = sent;
    sent = has;
    cameOnNanos = nowNanos;
  }
}
