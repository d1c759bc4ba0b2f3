package dev.tempest.protocol.order.log;

import org.jspecify.annotations.Nullable;

/** What a leader knows of another replica. */
final class Follower {
  final long replica;

  /** What it promised this leader; null until it has. */
  LogMessage.@Nullable Promise promise;

  /** Whether it has the log with which the leader began: what it accepts counts from then on. */
  boolean isWhole;

  /** It has so much of the leader's log. */
  long has;

  /** How often it has said so since it has that. */
  int repeats;

  /** Up to here everything was sent again: until it has that, it says what it did before. */
  long againThrough;

  /** So much was sent to it, and may be on its way. */
  long sent;

  /** What it had when the leader looked for the last time. */
  long hadAtTick;

  long heardNanos;

  /** Up to here its log was the same before anything was sent. */
  long base;

  Follower(long replica, long nowNanos) {
    this.replica = replica;
    this.heardNanos = nowNanos;
  }
}
