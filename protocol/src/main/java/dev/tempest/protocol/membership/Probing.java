package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Whether a process that finds no cluster founds one: not if it hears of processes that speak only
 * other versions of the wire, nor while processes live where it looks that do not answer. Those may
 * be the cluster that it looks for.
 */
final class Probing {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * So many times as long as it takes to found, waiting for one with a lower id comes to an end.
   */
  private static final int FOUND_LATEST_FACTOR = 4;

  /** It is found out again after so many probes: who lives there changes, and answers get lost. */
  private static final int KNOCK_EVERY_PROBES = 3;

  /** An address where somebody may live. */
  private static final class Door {
    private int knockedAtProbe;
    private Occupant occupant = Occupant.NONE;
  }

  private final MemberSettings settings;
  private final MemberTable table;
  private final long self;

  /**
   * Probes are counted, and not time: while a process stalls, as it does when it starts, answers
   * wait unread.
   */
  private int probes;

  private boolean hearsOtherVersions;
  private final Map<Address, Door> doors = new LinkedHashMap<>();

  Probing(MemberSettings settings, MemberTable table, long self) {
    this.settings = settings;
    this.table = table;
    this.self = self;
  }

  /** Another probe went out. */
  void probed() {
    probes++;
  }

  /** A process was heard that speaks only other versions. */
  void heardOtherVersion() {
    hearsOtherVersions = true;
  }

  /** Whether it is to find out now who lives at an address that it probes. */
  boolean knocks(Address at) {
    Door door = doors.get(at);
    boolean knocks = door == null || probes - door.knockedAtProbe >= KNOCK_EVERY_PROBES;
    if (knocks) {
      doors.computeIfAbsent(at, none -> new Door()).knockedAtProbe = probes;
    }
    return knocks;
  }

  /** It was found out who lives at an address. */
  void knocked(Address at, Occupant occupant) {
    Door door = doors.get(at);
    if (door != null) {
      door.occupant = occupant;
    }
  }

  /** Nobody is looked for there any more. */
  void forget(Predicate<Address> places) {
    doors.keySet().removeIf(places);
  }

  /**
   * Where processes live that are waited for: members, and those that do not even say that they are
   * none. Whoever was heard lately, and is no member, looks for the cluster as this one does.
   */
  List<Address> awaited(long nowNanos) {
    return doors.entrySet().stream()
        .filter(each ->
            switch (each.getValue().occupant) {
              case NONE, UNREACHABLE -> false;
              case SILENT -> !isHeard(each.getKey(), nowNanos);
              case MEMBER -> true;
            })
        .map(Map.Entry::getKey)
        .toList();
  }

  boolean mayFound(long nowNanos) {
    return !hearsOtherVersions
        && probes >= enough()
        && (isLatest() || !hearsOfLower(nowNanos))
        && (isAnybodyElseExpelled() || awaited(nowNanos).isEmpty());
  }

  /**
   * Whether it would have founded a cluster if nobody spoke other versions, however long it took.
   */
  boolean isRefused() {
    return hearsOtherVersions && isLatest();
  }

  private int enough() {
    return settings.foundAfterMillis() / settings.probeMillis();
  }

  private boolean isLatest() {
    return probes >= FOUND_LATEST_FACTOR * enough();
  }

  /** Whether the members of a cluster would have expelled whoever is silent for so long. */
  private boolean isAnybodyElseExpelled() {
    return probes >= settings.expelAfterMillis() / settings.probeMillis();
  }

  private boolean hearsOfLower(long nowNanos) {
    return table.all().stream().anyMatch(known -> known.id() < self && isRecent(known, nowNanos));
  }

  private boolean isHeard(Address at, long nowNanos) {
    return table.all().stream()
        .anyMatch(known -> known.address().equals(at) && isRecent(known, nowNanos));
  }

  private boolean isRecent(Known known, long nowNanos) {
    long recently = nowNanos - settings.foundAfterMillis() * NANOS_PER_MILLI;
    return known.isPresent() && known.sinceNanos > recently;
  }
}
