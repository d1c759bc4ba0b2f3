package dev.tempest.protocol.order.time;

import dev.tempest.wire.IntervalSet;

/** What another replica has said that it has of the writes of this process. */
final class Receiver {
  /** How much it may lack while nobody waits for it. */
  private static final long ANY = Long.MAX_VALUE;

  /** What is sent again goes first after this time, then each time after twice as long. */
  private static final long AGAIN_NANOS = 20 * ReplicaClock.NANOS_PER_MILLI;

  private static final int DOUBLINGS_MAX = 5;

  /** Who says nothing new for so long is not waited for any more. */
  static final long PATIENCE_NANOS = 1_000 * ReplicaClock.NANOS_PER_MILLI;

  /** It has all writes through this one. */
  private long through;

  /** Of the later ones, not the next, it has these. */
  private IntervalSet beyond = new IntervalSet();

  private long mayLack = ANY;

  /** Of all bytes that were sent, as many have arrived at least. */
  private long arrivedBytes;

  /** What it lacked through this one is on its way again; 0 if nothing is. */
  private long againThrough;

  private int again;
  private long againNanos;
  private long progressNanos;

  Receiver(long through, long arrivedBytes, long nowNanos) {
    this.through = through;
    this.arrivedBytes = arrivedBytes;
    this.progressNanos = nowNanos;
    this.againNanos = nowNanos + AGAIN_NANOS;
  }

  long through() {
    return through;
  }

  /** Those of the writes through {@code last} that it is not known to have. */
  IntervalSet lacksOf(long last) {
    return last <= through ? new IntervalSet() : IntervalSet.of(through + 1, last).without(beyond);
  }

  /** Whether it is close behind, or comes closer: then writers wait for it. */
  boolean isWaitedFor() {
    return mayLack != ANY;
  }

  /** Whether it is no further behind than it may be. */
  boolean isInStep(long most) {
    return mayLack == most;
  }

  /**
   * Whether it lacks more than it may, of the writes through {@code last}, or more but for some.
   */
  boolean lacksMuch(long last, long some) {
    return last - through > mayLack - some;
  }

  /**
   * Takes what it says that it has.
   *
   * @param last the last write
   * @param most how much it may lack at the end: until then it has to come closer all the time
   * @return whether that is more than was known
   */
  boolean has(IntervalSet writes, long last, long most, long nowNanos) {
    IntervalSet more = writes.without(beyond);
    if (through > 0) {
      more = more.without(IntervalSet.of(1, through));
    }
    if (more.isEmpty()) {
      return false;
    }
    long before = through;
    beyond.addAll(more);
    while (!beyond.isEmpty() && beyond.first(0) <= through + 1) {
      through = beyond.last(0);
      beyond = beyond.without(IntervalSet.of(1, through));
    }
    long closer = (through - before) / 2; // Writers may take the other half.
    mayLack = Math.max(most, Math.min(mayLack - closer, last - through + most / 2));
    again = 0;
    progress(nowNanos);
    return true;
  }

  /** So many bytes were sent with all that it has. */
  void arrived(long bytes) {
    arrivedBytes = Math.max(arrivedBytes, bytes);
  }

  long arrivedBytes() {
    return arrivedBytes;
  }

  /** It is asked for something although it has said that it has everything before. */
  void askedAnew(long nowNanos) {
    again = 0;
    progress(nowNanos);
  }

  private void progress(long nowNanos) {
    progressNanos = nowNanos;
    againNanos = nowNanos + AGAIN_NANOS;
  }

  /** Whether it has said nothing new for long. */
  boolean isSilent(long nowNanos) {
    return nowNanos - progressNanos >= PATIENCE_NANOS;
  }

  /** Nobody waits any more for one that is silent. */
  void losePatience(long nowNanos) {
    if (isSilent(nowNanos)) {
      mayLack = ANY;
    }
  }

  /** When to send again what it lacks. */
  long againNanos() {
    return againNanos;
  }

  /** Whether what was on its way again has arrived. */
  boolean hasCaughtUpWith() {
    return againThrough > 0 && through >= againThrough;
  }

  /** What it lacks is on its way again through this one; 0 if nothing is. */
  void sentAgain(long throughIt, long nowNanos) {
    againThrough = throughIt;
    againNanos = nowNanos + (AGAIN_NANOS << Math.min(DOUBLINGS_MAX, again));
    again++;
  }
}
