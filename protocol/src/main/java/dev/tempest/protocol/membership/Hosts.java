package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Invariant;
import dev.tempest.wire.Message.Hosting;
import dev.tempest.wire.Message.HostingRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who hosts what. A record of a process says which list of its services is the newest; whoever
 * knows an older one asks for it, again and again while the process is alive. Who fell silent is
 * knocked at: as long as it lives it may have what somebody else looks for, and so may one that is
 * beyond reach, until it is a member no more.
 */
final class Hosts {
  /** So many are asked at once; the others when these have answered. */
  private static final int ASKED_AT_ONCE_MAX = 32;

  /**
   * Who was asked so often is not waited for: others hear of it, but it does not hear this process,
   * or is not heard here. Whom nobody hears is known to be silent long before.
   */
  static final int ASKED_IN_VAIN = 250;

  /** Who is silent is knocked at again after so many times as long as it takes to ask again. */
  private static final int KNOCK_AGAIN_FACTOR = 25;

  private final MemberTable table;
  private final Self self;
  private final Address address;
  private final long askAgainNanos;
  private List<Long> own = List.of();
  private long revision;
  private List<Known> unknown = List.of();
  private List<Known> silent = List.of();
  private SortedMap<Long, SortedMap<Long, Address>> all = Collections.emptySortedMap();

  Hosts(MemberTable table, Self self, Address address, long askAgainNanos) {
    this.table = table;
    this.self = self;
    this.address = address;
    this.askAgainNanos = askAgainNanos;
  }

  /** From now on this process hosts these. */
  void host(List<Long> services) {
    own = services;
    revision++;
    refresh();
  }

  /**
   * Somebody says that there is a list of this process with that number. Whoever believes it asks
   * for that list until there is one; an id is of one life, so this process has not made it. One
   * that is far ahead nobody believes who hears from this process.
   */
  void exceed(long heard) {
    if (heard > revision && heard - revision <= MemberTable.JUMP_MAX) {
      revision = heard + 1;
    }
  }

  /** Counts the lists of this process. */
  long revision() {
    return revision;
  }

  /** What this process hosts. */
  Hosting hosting() {
    return new Hosting(self.id(), revision, own);
  }

  /** Whether it is known what each of those hosts that are alive, and answer. */
  boolean isKnown() {
    for (Known known : unknown) {
      if (known.askedHosting < ASKED_IN_VAIN) {
        return false;
      }
    }
    return true;
  }

  /**
   * By service the processes alive that host it; the same map until it or {@link #mayHost} does.
   */
  SortedMap<Long, SortedMap<Long, Address>> all() {
    return all;
  }

  /** Who may host a service: those alive that do, and those silent of which nobody knows better. */
  SortedMap<Long, Address> mayHost(long service) {
    SortedMap<Long, Address> hosts = all.getOrDefault(service, Collections.emptySortedMap());
    if (!silent.isEmpty()) {
      hosts = new TreeMap<>(hosts);
      for (Known known : silent) {
        if (known.mayHost(service)) {
          hosts.put(known.id(), known.address());
        }
      }
    }
    return hosts;
  }

  /** Where those are that are silent and may host what this process hosts. */
  List<Address> awaited() {
    return silent.isEmpty() ? List.of() : silent.stream().map(Known::address).toList();
  }

  /** It was found out who lives at an address. */
  void knocked(Address at, Occupant occupant) {
    for (Known known : silent) {
      if (known.address().equals(at)) {
        known.livesOn = occupant != Occupant.NONE;
      }
    }
    refresh();
  }

  /** When to ask again; {@link Long#MAX_VALUE} if there is nothing to ask. */
  long nextAskNanos() {
    long nextNanos = Long.MAX_VALUE;
    for (Known known : unknown) {
      nextNanos = Math.min(nextNanos, known.askHostingNanos);
    }
    for (Known known : silent) {
      nextNanos = Math.min(nextNanos, known.knockNanos);
    }
    return nextNanos;
  }

  /** Asks whom it is time to ask. */
  void ask(long nowNanos, List<Members.Effect> effects) {
    int asked = 0;
    for (Known known : unknown) {
      if (known.askHostingNanos <= nowNanos && asked++ < ASKED_AT_ONCE_MAX) {
        known.askHostingNanos = nowNanos + askAgainNanos;
        known.askedHosting++;
        effects.add(new Members.Effect.Send(known.address(), new HostingRequest()));
      }
    }
    for (Known known : silent) {
      if (known.knockNanos <= nowNanos) {
        known.knockNanos = nowNanos + KNOCK_AGAIN_FACTOR * askAgainNanos;
        effects.add(new Members.Effect.Knock(known.address()));
      }
    }
  }

  /** Who is alive, or what they host, has changed. */
  void refresh() {
    List<Known> toAsk = new ArrayList<>();
    List<Known> toKnockAt = new ArrayList<>();
    SortedMap<Long, SortedMap<Long, Address>> hosts = new TreeMap<>();
    own.forEach(service -> add(hosts, service, self.id(), address));
    for (Known known : table.all()) {
      if (known.isAlive()) {
        known.services.forEach(service -> add(hosts, service, known.id(), known.address()));
        if (known.isHostingUnknown()) {
          toAsk.add(known);
        }
      } else if (own.stream().anyMatch(known::mayHost)) {
        toKnockAt.add(known);
      }
    }
    unknown = toAsk;
    if (!hosts.equals(all) || !silent.isEmpty() || !toKnockAt.isEmpty()) {
      all = Collections.unmodifiableSortedMap(hosts);
    }
    silent = toKnockAt;
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    unknown.forEach(known ->
        Invariant.check(
            known.isAlive() && known.isHostingUnknown(),
            "only who is alive and has news is asked"));
    own.forEach(service ->
        Invariant.check(
            all.getOrDefault(service, Collections.emptySortedMap()).containsKey(self.id()),
            "a process knows what it hosts itself"));
    all.values()
        .forEach(hosts ->
            hosts
                .keySet()
                .forEach(id -> {
                  Known known = table.get(id);
                  Invariant.check(
                      id == self.id() || (known != null && known.isAlive()),
                      "who hosts something is alive");
                }));
  }

  private static void add(
      SortedMap<Long, SortedMap<Long, Address>> hosts, long service, long id, Address address) {
    hosts.computeIfAbsent(service, none -> new TreeMap<>()).put(id, address);
  }
}
