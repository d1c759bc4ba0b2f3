package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.time.ReplicaSettings.Timing;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The time of a replica: its clock, its epochs, and the stamps that it gives.
 *
 * <p>Where the clock of its process is far from those of the other replicas, updates count by
 * theirs: whoever joins takes the time of those who are there, and whoever is far behind most of
 * them catches up at once. So nobody waits for a process that was suspended, or that lives in
 * another year. Nobody goes back who is there, since closed epochs stay closed: whoever is far
 * ahead takes no requests, and nobody follows a {@link Leap} of its own clock before another one
 * shows it too.
 */
final class ReplicaClock {
  /** A request that took longer is taken for lost, unless others take longer too. */
  private static final int ON_THE_WAY_MILLIS = 50;

  static final long NANOS_PER_MILLI = 1_000_000;

  /** A busy process is later than it wants to be, too. */
  private static final long STOOD_STILL_NANOS = 10 * NANOS_PER_MILLI;

  private final Timing timing;
  private final Window window;
  private final Stability stability;
  private final int aheadMaxMillis;
  private long nowNanos;

  /** For so long it has gone on, leaps left out. */
  private long upNanos;

  /** The time by which updates count. */
  private long nowMillis;

  /** By so much the clock of this process has leapt, and no other one shows it. */
  private long leapsMillis;

  /** By so much the time by which updates count is ahead of what is left of that clock. */
  private long aheadMillis;

  /** By how much others were ahead at least when they said so the last time, in milliseconds. */
  private final Map<Long, Long> leads = new LinkedHashMap<>();

  /** What others have closed, as far as they have said. */
  private final Map<Long, Long> closed = new LinkedHashMap<>();

  /** Most others are far behind. */
  private boolean isFarAhead;

  private final Leap leap = new Leap();

  private long lagNanos;
  private long lastStamp;

  ReplicaClock(
      Timing timing, int aheadMaxMillis, Window window, Stability stability, long nowNanos) {
    this.timing = timing;
    this.aheadMaxMillis = aheadMaxMillis;
    this.window = window;
    this.stability = stability;
    this.nowNanos = nowNanos;
    this.nowMillis = nowNanos / NANOS_PER_MILLI;
  }

  /** It is as late as that, or later. */
  void advance(long toNanos) {
    long passedNanos = Math.max(0, toNanos - nowNanos);
    long passedMillis = passedNanos / NANOS_PER_MILLI;
    nowNanos += passedNanos;
    if (passedMillis > timing.idleGossipMillis() + aheadMaxMillis) { // It rests between rounds.
      leapt(passedMillis);
    } else {
      upNanos += passedNanos;
    }
    nowMillis = Math.max(nowMillis, ownMillis() + aheadMillis);
  }

  private void leapt(long millis) {
    long setRightMillis = Math.clamp(aheadMillis, 0, millis); // Maybe.
    aheadMillis -= setRightMillis;
    long leapMillis = millis - setRightMillis;
    if (leapMillis > aheadMaxMillis && !stability.isAlone()) {
      leapsMillis += leapMillis;
      leap.begin(leapMillis, leads, nowNanos);
    }
  }

  /**
   * Whether its clock has leapt, and nobody has said yet what time it is. Until then it says
   * nothing of its time itself: those who stood still together would believe each other.
   */
  boolean isUnsure() {
    return leap.isOpen();
  }

  /** When {@link #decide} has something to decide. */
  long nextTickNanos() {
    return leap.nextTickNanos();
  }

  /**
   * Waits no longer for others to say whether its clock has leapt alone. If nobody said anything,
   * it is right.
   */
  void decide(List<Effect> effects) {
    if (!leap.isOver(nowNanos)) {
      return;
    }
    leap.close();
    if (leap.isDenied()) {
      effects.add(new Effect.ClockSet(correctionMillis()));
    } else {
      follow(leap.latestMillis());
    }
  }

  /** So much of the leaps of its clock was time that has passed. */
  private void follow(long leaptMillis) {
    set(leaptMillis);
    leads.clear();
    leads.putAll(leap.leadsBefore()); // They leapt as far.
  }

  /** The clock of this process: for what this replica waits, and nobody else. */
  long nowNanos() {
    return nowNanos;
  }

  /** For how long it has been there, at least. */
  long upMillis() {
    return upNanos / NANOS_PER_MILLI;
  }

  /** The same in milliseconds, but for its leaps: for what others rely on that it waits for. */
  long ownMillis() {
    return nowNanos / NANOS_PER_MILLI - leapsMillis;
  }

  /** The time by which updates count. */
  long nowMillis() {
    return nowMillis;
  }

  /** How long ago it was the turn of the oldest entry that is not settled; 0 if there is none. */
  long lagMillis() {
    var first = window.epochs().firstEntry();
    return first == null
        ? 0
        : Math.max(
            0, nowMillis - Stamp.millis(first.getValue().entries().getFirst().entry.stamp()));
  }

  /** By how much that is ahead of the clock of this process. */
  long correctionMillis() {
    return aheadMillis - leapsMillis;
  }

  /**
   * The replica has what it had in an earlier life, settled or not, so that the time of that has
   * come, whatever the clock of this process says.
   */
  void continues() {
    long leadMillis = ownLeadMillis();
    if (leadMillis > aheadMaxMillis) {
      set(leadMillis);
    }
  }

  /** How far the time of what is here, settled or not, is ahead. */
  private long ownLeadMillis() {
    long newestMillis = Stamp.millis(window.newestStamp()) + 1;
    return Math.max(leadMillis(window.settled().throughEpoch()), newestMillis - nowMillis);
  }

  /**
   * Another replica, which has state, has closed its epochs through this one while this replica
   * joins: it takes the time of the other one if they are far apart, but none before what it came
   * back with.
   */
  void joins(long closedThrough, List<Effect> effects) {
    long leastMillis = leadMillis(closedThrough);
    long mostMillis = Math.max(leastMillis + leadErrorMillis(), ownLeadMillis());
    if (leastMillis > aheadMaxMillis || mostMillis < -aheadMaxMillis) {
      set(leastMillis > 0 ? leastMillis : mostMillis);
      effects.add(new Effect.ClockSet(correctionMillis()));
    }
    leap.end();
  }

  /**
   * Another replica has closed its epochs through this one. Catches up if most are far ahead.
   *
   * @param others all of them
   */
  void heard(long other, long closedThrough, List<Long> others, List<Effect> effects) {
    if (closed.merge(other, closedThrough, Math::max) > closedThrough) {
      return; // It was on its way for long, or is sent again: what is closed stays closed.
    }
    if (leap.millis() > 0) {
      long grownMillis = leap.grownMillis(other, leadMillis(closedThrough), aheadMaxMillis);
      compareLeap(grownMillis, leap.knows(other));
    }
    leads.put(other, leadMillis(closedThrough));
    Set<Long> present = new TreeSet<>(others);
    leads.keySet().retainAll(present);
    closed.keySet().retainAll(present);
    long leadMillis = leadOfMost(others.size() + 1);
    if (leadMillis > aheadMaxMillis) {
      set(leadMillis);
      leads.replaceAll((each, lead) -> lead - leadMillis);
      if (!leap.isOpen()) {
        effects.add(new Effect.ClockSet(correctionMillis()));
      }
    }
    boolean wasFarAhead = isFarAhead;
    isFarAhead = isFarBehind(leadMillis);
    if (isFarAhead && !wasFarAhead) {
      effects.add(new Effect.FarAhead(-leadMillis));
    }
  }

  /** Some are gone, of whom it was far ahead maybe. */
  void viewChanged(List<Long> others) {
    leads.keySet().retainAll(others);
    isFarAhead = isFarAhead && isFarBehind(leadOfMost(others.size() + 1));
  }

  private boolean isFarBehind(long leadMillis) {
    return leadMillis + leadErrorMillis() < -aheadMaxMillis;
  }

  /** By how much the clock in the middle of all is ahead. */
  private long leadOfMost(int replicas) {
    long[] all = new long[replicas]; // What is not known is taken for 0, as its own is.
    int at = 0;
    for (long lead : leads.values()) {
      all[at++] = lead;
    }
    Arrays.sort(all);
    return all[all.length / 2];
  }

  /**
   * Another one is ahead by so much more than it was before the leap.
   *
   * @param isKnown whether it is known what it was before; else it is taken for 0
   */
  private void compareLeap(long grownMillis, boolean isKnown) {
    if (isShown(leap.millis(), grownMillis, isKnown)) {
      follow(leap.millis());
    } else if (isShown(leap.latestMillis(), grownMillis, isKnown)) {
      follow(leap.latestMillis());
    } else if (grownMillis > aheadMaxMillis && grownMillis < leap.millis()) {
      follow(grownMillis); // So much of it was time at least.
    } else {
      leap.deny(nowNanos);
    }
  }

  /**
   * Whether one that is ahead by so much more may have leapt as far, and has not stayed. Further at
   * the same time: this clock stood still once more. Further long after: that is another leap.
   */
  private boolean isShown(long leaptMillis, long grownMillis, boolean isKnown) {
    boolean isTooFar = grownMillis > leaptMillis + aheadMaxMillis && !(isKnown && leap.isOpen());
    long mostMillis = grownMillis + leadErrorMillis();
    return leaptMillis > aheadMaxMillis
        && !isTooFar
        && mostMillis >= Math.max(leaptMillis - aheadMaxMillis, leaptMillis / 2);
  }

  /**
   * Whether most others are far behind: what is taken here from clients they would take only when
   * its time has come.
   */
  boolean isFarAhead() {
    return isFarAhead;
  }

  /** By how much another one may be further ahead than the end of its last closed epoch. */
  private long leadErrorMillis() {
    return (timing.epochs().closeAfter() + 1L) * timing.epochs().lengthMillis();
  }

  /** How far the end of an epoch is ahead. */
  private long leadMillis(long epoch) {
    return (epoch + 1) * timing.epochs().lengthMillis() - nowMillis;
  }

  /** It is later by so much, or earlier; later than its clock said only after what it leapt. */
  private void set(long leadMillis) {
    long leaptMillis = Math.clamp(leadMillis, 0, leap.millis());
    leapsMillis -= leaptMillis;
    aheadMillis += leadMillis - leaptMillis;
    nowMillis = ownMillis() + aheadMillis;
    leap.shorten(leaptMillis, aheadMaxMillis);
  }

  long currentEpoch() {
    return nowMillis / timing.epochs().lengthMillis();
  }

  /** The last closed epoch; where there are no others, all but the current one are closed. */
  long closedThrough() {
    int open = stability.isAlone() ? 1 : timing.epochs().closeAfter();
    return Math.max(currentEpoch() - open, window.settled().throughEpoch());
  }

  /**
   * The time as a stamp that this replica takes: others may have closed epochs that its own clock
   * has not reached.
   */
  long stamp() {
    long firstOpenMillis = (closedThrough() + 1) * timing.epochs().lengthMillis();
    return Stamp.atMillis(Math.max(nowMillis, firstOpenMillis));
  }

  /** The hybrid time: that of the clock, and not before anything that was executed here. */
  long hybridStamp() {
    return Math.max(stamp(), window.newestStamp());
  }

  /** A stamp above all others that were seen here or given. */
  long newStamp() {
    return newStampAbove(0);
  }

  /** The same, also above one that a client gave. */
  long newStampAbove(long other) {
    long highest = Math.max(other, Math.max(window.newestStamp(), lastStamp));
    lastStamp = Math.max(stamp(), highest + 1);
    return lastStamp;
  }

  /** The lowest stamp that is not settled. */
  long firstUnsettledStamp() {
    long millis = (window.settled().throughEpoch() + 1) * timing.epochs().lengthMillis();
    return Stamp.atNanos(millis * NANOS_PER_MILLI);
  }

  /** A request with this stamp has arrived for the first time. */
  void arrived(long stamp) {
    lagNanos = Math.max(lagNanos, (nowMillis - Stamp.millis(stamp)) * NANOS_PER_MILLI);
  }

  /** A round is due then: if that is long ago, this process stood still, and requests wait. */
  void awaited(long roundNanos) {
    long lateNanos = nowNanos - roundNanos;
    if (lateNanos > STOOD_STILL_NANOS) {
      long intervalNanos = timing.gossipIntervalMillis() * NANOS_PER_MILLI;
      lagNanos = Math.max(lagNanos, lateNanos + intervalNanos);
    }
  }

  /** What was late once is forgotten in a few rounds. */
  void forgetLag() {
    lagNanos /= 2;
  }

  /**
   * The last epoch whose requests have arrived here unless they are lost. What may still be on its
   * way, or wait in this replica's own queue, is not compared: to repair it would be work for
   * nothing, and most of it where there is least time.
   */
  long quietThrough() {
    long closingMillis = (long) timing.epochs().closeAfter() * timing.epochs().lengthMillis();
    long lagMillis = Math.min(lagNanos / NANOS_PER_MILLI, closingMillis / 2);
    return (nowMillis - ON_THE_WAY_MILLIS - lagMillis) / timing.epochs().lengthMillis() - 1;
  }
}
