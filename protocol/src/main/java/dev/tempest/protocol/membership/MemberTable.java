package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message.Heartbeat;
import dev.tempest.wire.Message.Hosting;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a process knows of the others. Of two records of one process the one with the higher
 * heartbeat counts, at the same heartbeat the one with the later state: tables that have seen the
 * same records are equal, in whatever order and however often they came.
 *
 * <p>One that is gone stays in the table for a while, so that old records do not bring it back.
 */
final class MemberTable {
  /** Members beyond it are ignored; as many that are gone are remembered. */
  static final int MEMBERS_MAX = 1_024;

  /** No heartbeat comes so far, nor does a revision; the difference of two is a number, too. */
  static final long COUNT_MAX = 1L << 62;

  /**
   * Nobody gets so far ahead of what others know of it, unless they were cut off for hours. What
   * they are told of it in between is a lie; it will tell them itself how far it has come.
   */
  static final long JUMP_MAX = 1L << 16;

  /** What changed is told before all else for so many rounds. */
  private static final int NEWS_ROUNDS = 40;

  /** One that is gone is remembered for so many times what it takes to be expelled. */
  private static final int REMEMBER_FACTOR = 10;

  /** What a record was worth. */
  enum Outcome {
    /** Of nobody that can be a member: not taken. */
    ABSURD,
    /** The first of its process. */
    FIRST,
    /** Newer than what was known. */
    NEWER,
    /** Nothing new. */
    KNOWN,
    /** The process is gone, and the record does not say so. */
    OUTDATED
  }

  private final Address self;
  private final Function<String, @Nullable Address> addresses;
  private final long heartbeatNanos;
  private final long expelNanos;
  private final NavigableMap<Long, Known> all = new TreeMap<>();
  private int present;
  private boolean changed = true;

  /**
   * The table of a process that is reached at {@code self}; {@code addresses} makes an address of a
   * text, null if it is none.
   */
  MemberTable(
      Address self,
      Function<String, @Nullable Address> addresses,
      long heartbeatNanos,
      long expelNanos) {
    this.self = self;
    this.addresses = addresses;
    this.heartbeatNanos = heartbeatNanos;
    this.expelNanos = expelNanos;
  }

  @Nullable Known get(long id) {
    return all.get(id);
  }

  /** All that are known, those that are gone included, by id. */
  Collection<Known> all() {
    return Collections.unmodifiableCollection(all.values());
  }

  /** All by id, beginning after {@code id}, once around. */
  Iterator<Known> allAfter(long id) {
    return Stream.concat(
            all.tailMap(id, false).values().stream(), all.headMap(id, true).values().stream())
        .iterator();
  }

  /** Those that are present. */
  SortedMap<Long, Member> presentMembers() {
    SortedMap<Long, Member> members = new TreeMap<>();
    all.values().stream()
        .filter(Known::isPresent)
        .forEach(known -> members.put(known.id(), known.member));
    return members;
  }

  /** The ids of those that are present and not silent. */
  SortedSet<Long> aliveIds() {
    SortedSet<Long> ids = new TreeSet<>();
    all.values().stream().filter(Known::isAlive).forEach(known -> ids.add(known.id()));
    return ids;
  }

  /** How many are present. */
  int present() {
    return present;
  }

  /** Whether who is present or alive has changed since the last call. */
  boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /** Where the process of a record is reached; null if no member can say this of itself. */
  @Nullable Address addressOf(MemberRecord record) {
    if (record.heartbeat() > COUNT_MAX
        || record.hosting() > COUNT_MAX
        || record.address().isEmpty()
        || record.address().length() > Self.ADDRESS_CHARS_MAX
        || record.name().length() > Self.NAME_CHARS_MAX
        || record.name().chars().anyMatch(Character::isISOControl)) { // It comes into logs.
      return null;
    }
    Known known = all.get(record.id());
    return known == null || isElsewhere(known)
        ? addresses.apply(record.address())
        : known.address();
  }

  /** Whether one that is gone is not where it was first heard of, since another process is. */
  private boolean isElsewhere(Known gone) {
    return !gone.isPresent()
        && (gone.address().equals(self)
            || all.values().stream()
                .anyMatch(other -> other.isPresent() && other.address().equals(gone.address())));
  }

  /** Takes a record of another process from whoever is at {@code from}. */
  Outcome take(MemberRecord record, Address from, long nowNanos) {
    Address address = addressOf(record);
    if (address == null) {
      return Outcome.ABSURD;
    }
    Known known = all.get(record.id());
    boolean isItself = from.equals(address);
    boolean moves = known != null && isItself && !known.address().equals(from);
    if (known == null || moves) {
      return record.state() == MemberState.PRESENT
          ? takeFirst(record, address, isItself, nowNanos)
          : Outcome.KNOWN; // Whoever tells of one that is gone tells nothing new.
    }
    if (isNewer(record.hosting(), known.hosting, isItself)) {
      known.hosting = record.hosting();
      changed = true;
    }
    boolean isNewer = isNewer(record.heartbeat(), known.heartbeat, isItself);
    if (record.heartbeat() == known.heartbeat) {
      isNewer = record.state().compareTo(known.state) > 0;
    }
    boolean returns = record.state() == MemberState.PRESENT && !known.isPresent();
    if (isNewer && (!returns || takesPlace(known.address(), isItself, nowNanos))) {
      update(known, record.state(), record.heartbeat(), nowNanos);
      return Outcome.NEWER;
    }
    if (returns) {
      known.newsUntilNanos = nowNanos + NEWS_ROUNDS * heartbeatNanos; // Somebody has not heard.
      return Outcome.OUTDATED;
    }
    return Outcome.KNOWN;
  }

  /** Takes word that a process is present, if it is known. */
  void take(Heartbeat further, long nowNanos) {
    Known known = all.get(further.id());
    if (known != null
        && isNewer(further.heartbeat(), known.heartbeat, false)
        && (known.isPresent() || takesPlace(known.address(), false, nowNanos))) {
      update(known, MemberState.PRESENT, further.heartbeat(), nowNanos);
    }
  }

  /** Takes what a process that is known says, from {@code from}, that it hosts. */
  void take(Hosting hosting, Address from) {
    Known known = all.get(hosting.member());
    long revision = hosting.revision();
    if (known != null
        && from.equals(known.address())
        && isNewer(revision, known.servicesHosting, true)) {
      known.hosting = isNewer(revision, known.hosting, true) ? revision : known.hosting;
      known.servicesHosting = revision;
      known.askedHosting = 0;
      known.services = hosting.services();
      changed = true;
    }
  }

  /**
   * Whether a count that is told is to replace the one that is known. What a process says itself
   * corrects what is so far ahead of it that others must have lied about it.
   */
  private static boolean isNewer(long told, long known, boolean isItself) {
    long ahead = told - known;
    return told <= COUNT_MAX
        && (isItself ? ahead > 0 || ahead < -JUMP_MAX : ahead > 0 && ahead <= JUMP_MAX);
  }

  /**
   * Whether a process may be present at an address: there is nobody, or it speaks from there itself
   * and whoever was there before is gone.
   */
  private boolean takesPlace(Address address, boolean isItself, long nowNanos) {
    for (Known known : all.values()) {
      if (known.isPresent() && known.address().equals(address)) {
        if (!isItself) {
          return false;
        }
        expel(known, nowNanos);
      }
    }
    return true;
  }

  private Outcome takeFirst(MemberRecord record, Address address, boolean isItself, long nowNanos) {
    if (present >= MEMBERS_MAX || !takesPlace(address, isItself, nowNanos)) {
      return Outcome.ABSURD;
    }
    Member member = new Member(record.id(), address, record.address(), record.name());
    Known known = new Known(member, record.heartbeat());
    known.hosting = record.hosting();
    all.put(record.id(), known);
    update(known, record.state(), record.heartbeat(), nowNanos);
    return Outcome.FIRST;
  }

  private void update(Known known, MemberState told, long heartbeat, long nowNanos) {
    // At this process's own address was an earlier one: nobody knows better that it is gone.
    boolean replaced = told == MemberState.PRESENT && known.address().equals(self);
    MemberState state = replaced ? MemberState.EXPELLED : told;
    if (known.state != state) {
      present += (state == MemberState.PRESENT ? 1 : 0) - (known.isPresent() ? 1 : 0);
      known.newsUntilNanos = nowNanos + NEWS_ROUNDS * heartbeatNanos;
      changed = true;
    }
    changed |= known.silent;
    known.state = state;
    known.heartbeat = heartbeat;
    known.sinceNanos = nowNanos;
    known.silent = false;
  }

  /** A process has said something that is no heartbeat: if it is present, it is not silent. */
  void heard(long id, long nowNanos) {
    Known known = all.get(id);
    if (known != null && known.isPresent()) {
      changed |= known.silent;
      known.silent = false;
      known.sinceNanos = nowNanos;
    }
  }

  /** Expels one, as far as it was heard of. */
  void expel(Known known, long nowNanos) {
    if (known.isPresent()) {
      update(known, MemberState.EXPELLED, known.heartbeat, nowNanos);
    }
  }

  /** Sees who has been silent for how long, and forgets who has been gone for long enough. */
  void sweep(long nowNanos, long silentNanos) {
    List<Known> gone = new ArrayList<>();
    for (Known known : all.values()) {
      long quietNanos = nowNanos - known.sinceNanos;
      if (!known.isPresent()) {
        gone.add(known);
      } else if (quietNanos >= expelNanos) {
        expel(known, nowNanos);
      } else if (quietNanos >= silentNanos && !known.silent) {
        known.silent = true;
        known.livesOn = true; // Until it is known better.
        known.knockNanos = Long.MIN_VALUE;
        changed = true;
      }
    }
    gone.sort(Comparator.comparingLong(known -> known.sinceNanos));
    int tooMany = gone.size() - MEMBERS_MAX;
    for (int i = 0; i < gone.size(); i++) {
      if (i < tooMany || nowNanos - gone.get(i).sinceNanos >= REMEMBER_FACTOR * expelNanos) {
        all.remove(gone.get(i).id());
      }
    }
  }

  void checkInvariants() {
    long counted = all.values().stream().filter(Known::isPresent).count();
    if (counted != present || present > MEMBERS_MAX) {
      throw new AssertionError(counted + " are present, not " + present);
    }
    for (Known known : all.values()) {
      if (known.silent && !known.isPresent()) {
        throw new AssertionError(known.record() + " is gone and silent");
      }
    }
  }
}
