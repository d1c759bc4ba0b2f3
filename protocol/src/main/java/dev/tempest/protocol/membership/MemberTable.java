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
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
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

  /** A heartbeat every millisecond for 8,900 years: one beyond it is none, nor is a revision. */
  static final long HEARTBEAT_MAX = 1L << 48;

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
  private final long heartbeatNanos;
  private final long expelNanos;
  private final NavigableMap<Long, Known> all = new TreeMap<>();
  private int present;
  private boolean changed = true;

  /** The table of a process that is reached at {@code self}. */
  MemberTable(Address self, long heartbeatNanos, long expelNanos) {
    this.self = self;
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
  List<Known> allAfter(long id) {
    List<Known> around = new ArrayList<>(all.size());
    around.addAll(all.tailMap(id, false).values());
    around.addAll(all.headMap(id, true).values());
    return around;
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

  /** Takes a record of another process, reached at {@code address}. */
  Outcome take(MemberRecord record, Address address, long nowNanos) {
    Known known = all.get(record.id());
    if (known == null) {
      return record.state() == MemberState.PRESENT
          ? takeFirst(record, address, nowNanos)
          : Outcome.KNOWN; // Whoever tells of one that is gone tells nothing new.
    }
    if (record.hosting() > known.hosting) {
      known.hosting = record.hosting();
      changed = true;
    }
    int newer = Long.compare(record.heartbeat(), known.heartbeat);
    if (newer == 0) {
      newer = record.state().compareTo(known.state);
    }
    if (newer > 0) {
      update(known, record.state(), record.heartbeat(), nowNanos);
      return Outcome.NEWER;
    }
    if (record.state() == MemberState.PRESENT && !known.isPresent()) {
      known.newsUntilNanos = nowNanos + NEWS_ROUNDS * heartbeatNanos; // Somebody has not heard.
      return Outcome.OUTDATED;
    }
    return Outcome.KNOWN;
  }

  /** Takes word that a process is present, if it is known. */
  void take(Heartbeat further, long nowNanos) {
    Known known = all.get(further.id());
    if (known != null
        && further.heartbeat() > known.heartbeat
        && further.heartbeat() <= HEARTBEAT_MAX) {
      update(known, MemberState.PRESENT, further.heartbeat(), nowNanos);
    }
  }

  /** Takes what a process hosts, if it is known and that is news. */
  void take(Hosting hosting) {
    Known known = all.get(hosting.member());
    if (known != null
        && hosting.revision() > known.servicesHosting
        && hosting.revision() <= HEARTBEAT_MAX) {
      known.hosting = Math.max(known.hosting, hosting.revision());
      known.servicesHosting = hosting.revision();
      known.askedHosting = 0;
      known.services = hosting.services();
      changed = true;
    }
  }

  private Outcome takeFirst(MemberRecord record, Address address, long nowNanos) {
    if (present >= MEMBERS_MAX) {
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
