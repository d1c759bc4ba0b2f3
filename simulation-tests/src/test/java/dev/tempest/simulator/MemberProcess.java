package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Member;
import dev.tempest.protocol.membership.Members;
import dev.tempest.protocol.membership.Members.Effect;
import dev.tempest.protocol.membership.Members.Event;
import dev.tempest.protocol.membership.Members.Phase;
import dev.tempest.protocol.membership.Self;
import dev.tempest.wire.Message.MemberMessage;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A process that is nothing but a member: it can end, start again, and stop for a while. */
final class MemberProcess {
  private static final int INBOX_MAX = 2_000;

  private record Arrival(int from, MemberMessage message) {}

  final int index;
  final String name;
  final SimClock clock;
  private final MemberWorld world;
  private final ArrayDeque<Arrival> inbox = new ArrayDeque<>();
  private @Nullable Members machine;
  private long id;
  private int lives;
  private SortedSet<Long> services = Collections.emptySortedSet();
  private long stoppedUntilNanos;
  private long startedNanos;
  private long awaitedNanos;
  private boolean deaf;
  private long activeSinceNanos = Long.MAX_VALUE;
  private final Set<Integer> knockedAt = new TreeSet<>();
  private long sent;

  MemberProcess(MemberWorld world, int index, SimClock clock) {
    this.world = world;
    this.index = index;
    this.name = "n" + index;
    this.clock = clock;
  }

  /** Whether it runs: has neither ended nor stopped, nor said goodbye. */
  boolean runs() {
    return isMember() && world.nowNanos() >= stoppedUntilNanos;
  }

  /** Whether there is a process, which may have stopped. */
  boolean isUp() {
    return machine != null;
  }

  /** Whether it is not stopped. */
  boolean isAwake() {
    return world.nowNanos() >= stoppedUntilNanos;
  }

  boolean isProbing() {
    return machine != null && machine.phase() == Phase.PROBING;
  }

  /** Counts its starts. */
  int lives() {
    return lives;
  }

  /** Since when it has run without waiting for somebody who lives where it looks. */
  long awaitsNobodySinceNanos() {
    if (machine != null && !machine.awaited().isEmpty()) {
      awaitedNanos = world.nowNanos();
    }
    return Math.max(awaitedNanos, runsSinceNanos());
  }

  long startedNanos() {
    return startedNanos;
  }

  /** When it went on after it was stopped. */
  long wentOnNanos() {
    return stoppedUntilNanos;
  }

  /** Since when it has been a member. */
  long activeSinceNanos() {
    return activeSinceNanos;
  }

  /** Whether it counts on being in the views of others. */
  boolean isMember() {
    return machine != null && machine.phase().compareTo(Phase.LEAVING) < 0;
  }

  boolean isActive() {
    return machine != null && machine.phase() == Phase.ACTIVE;
  }

  boolean founded() {
    return machine != null && machine.founded();
  }

  long id() {
    return id;
  }

  /** When it started, or went on after it was stopped. */
  long runsSinceNanos() {
    return Math.max(startedNanos, stoppedUntilNanos);
  }

  long sent() {
    return sent;
  }

  Set<Long> view() {
    return machine == null ? Set.of() : machine.view().keySet();
  }

  Set<Long> alive() {
    return machine == null ? Set.of() : machine.alive();
  }

  void start() {
    if (machine == null) {
      lives++;
      activeSinceNanos = Long.MAX_VALUE;
      knockedAt.clear();
      id = world.random().nextLong();
      world.trace(name, "starts as " + Long.toHexString(id));
      startedNanos = world.nowNanos();
      machine =
          new Members(
              world.settings(),
              new Self(id, name, "life " + lives),
              MemberWorld::address,
              world.random().nextLong(),
              clock.read(world.nowNanos()));
      host(world.random().between(0, 7));
    }
  }

  /** Hosts the services 0, 1 and 2 that are bits of {@code which}, and no others. */
  void host(int which) {
    if (isMember()) {
      services =
          LongStream.range(0, 3)
              .filter(service -> (which >> service & 1) == 1)
              .boxed()
              .collect(Collectors.toCollection(TreeSet::new));
      world.trace(name, "hosts " + services);
      take(new Event.Hosts(clock.read(world.nowNanos()), services));
    }
  }

  SortedSet<Long> services() {
    return services;
  }

  /** By service the members that host it, as this one knows. */
  SortedMap<Long, SortedMap<Long, Address>> hosts() {
    return machine == null ? Collections.emptySortedMap() : machine.hosts();
  }

  void crash() {
    if (machine != null) {
      world.trace(name, "ends");
      machine = null;
      inbox.clear();
      clock.forget();
      stoppedUntilNanos = 0;
    }
  }

  void leave() {
    if (isMember()) {
      world.trace(name, "leaves");
      take(new Event.Leave(clock.read(world.nowNanos())));
    }
  }

  /** Stops, keeping its memory; what arrives meanwhile is lost or waits. */
  void pause(long nanos, boolean losing) {
    if (machine != null) {
      world.trace(name, "stops for " + nanos / 1_000_000 + " ms");
      stoppedUntilNanos = Math.max(stoppedUntilNanos, world.nowNanos() + nanos);
      deaf = losing;
      int life = lives;
      world.at(stoppedUntilNanos, () -> goOn(life));
    }
  }

  void wake() {
    stoppedUntilNanos = Math.min(stoppedUntilNanos, world.nowNanos());
    goOn(lives);
  }

  private void goOn(int life) {
    if (machine == null || life != lives || world.nowNanos() < stoppedUntilNanos) {
      return;
    }
    for (Arrival next = inbox.poll(); next != null; next = inbox.poll()) {
      arrived(next.from(), next.message());
    }
    tickIfDue();
  }

  void arrived(int from, MemberMessage message) {
    if (machine == null) {
      return;
    }
    if (world.nowNanos() < stoppedUntilNanos) {
      if (!deaf && inbox.size() < INBOX_MAX) {
        inbox.add(new Arrival(from, message));
      }
      return;
    }
    MemberMessage heard = world.heard(message);
    if (heard != null) {
      take(new Event.Received(clock.read(world.nowNanos()), new SimAddress(from), heard));
    }
  }

  private void tickIfDue() {
    if (machine != null
        && world.nowNanos() >= stoppedUntilNanos
        && clock.read(world.nowNanos()) >= machine.nextTickNanos()) {
      take(new Event.Tick(clock.read(world.nowNanos())));
    }
  }

  private void take(Event event) {
    Members members = machine;
    if (members == null) {
      return;
    }
    SortedMap<Long, Member> before = members.view();
    List<Effect> effects;
    try {
      effects = members.step(event);
      members.checkInvariants();
    } catch (RuntimeException | AssertionError thrown) {
      throw new Violation.Found(Violation.Kind.THREW, name + " threw " + thrown, thrown);
    }
    if (!before.equals(members.view())) { // Most often the same map.
      world.trace(name, "has the view " + world.names(members.view().keySet()));
    }
    for (Effect effect : effects) {
      sent++;
      switch (effect) {
        case Effect.Send(SimAddress(int to), var message) -> world.send(this, to, message);
        case Effect.Send send -> throw new IllegalStateException("no address: " + send.to());
        case Effect.Announce(var message) -> world.announce(this, message);
        case Effect.Knock(SimAddress(int at)) -> knock(at);
        case Effect.Knock knock -> throw new IllegalStateException("no address: " + knock.at());
      }
    }
    if (isActive() && activeSinceNanos == Long.MAX_VALUE) {
      activeSinceNanos = world.nowNanos();
      world.becameMember(this);
    }
    if (members.phase() == Phase.LEFT) {
      crash();
    } else {
      armTimer();
    }
  }

  /** Not while it still waits for what another knock there finds out. */
  private void knock(int at) {
    int life = lives;
    if (knockedAt.add(at)) {
      MemberDoor.knock(
          world,
          this,
          world.process(at),
          occupant -> {
            if (life == lives && isProbing()) {
              world.trace(name, "knows of n" + at + ": " + occupant);
              take(new Event.Knocked(clock.read(world.nowNanos()), new SimAddress(at), occupant));
            }
          },
          () -> {
            if (life == lives) {
              knockedAt.remove(at);
            }
          });
    }
  }

  private void armTimer() {
    if (machine != null) {
      int life = lives;
      long atNanos = clock.virtualNanos(machine.nextTickNanos());
      world.at(
          Math.max(world.nowNanos() + 1, atNanos),
          () -> {
            if (life == lives) {
              tickIfDue();
            }
          });
    }
  }
}
