package dev.tempest.protocol.order.log;

import dev.tempest.wire.LogMessage;
import org.jspecify.annotations.Nullable;

/** What a leader knows of another replica. */
final class Follower {
  /** What has overtaken a message is answered like this; after more, that one is lost. */
  private static final int REPEATS_MAX = 3;

  final long replica;

  /** What it promised this leader; null until it has. */
  LogMessage.@Nullable Promise promise;

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

  /** What it had when the leader looked for the last time. */
  private long hadAtTick;

  long heardNanos;

  /** Up to here its log was the same before anything was sent. */
  long base;

  /** Or it was not, and it takes the state with which the leader's log begins. */
  boolean takesState;

  Follower(long replica, long nowNanos) {
    this.replica = replica;
    this.heardNanos = nowNanos;
  }

  /** It is asked again what it has. */
  void startOver() {
    promise = null;
    isWhole = false;
    takesState = false;
    has = 0;
    sent = 0;
    base = 0;
  }

  /** It says that it has so much. Who says the same again and again lacks what comes next. */
  void hasNow(long length) {
    repeats = length == has ? repeats + 1 : 0;
    has = length;
    sent = Math.max(sent, length);
    if (repeats >= REPEATS_MAX && length >= againThrough) {
      repeats = 0;
      againThrough = sent;
      sent = length;
    }
  }

  /** Time has passed: if it has no more than before, what was sent is lost. */
  void lookAgain() {
    if (has == hadAtTick) {
      sent = has;
    }
    hadAtTick = has;
  }
}
