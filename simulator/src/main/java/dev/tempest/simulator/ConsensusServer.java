package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.SignsOfLife;
import dev.tempest.protocol.order.log.Group;
import dev.tempest.protocol.order.log.LogSettings;
import dev.tempest.protocol.order.log.ReplicaByConsensus;
import dev.tempest.protocol.order.log.RestoredByConsensus;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.StateHashes;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A place for a server, and what runs there: each life is a replica of its own, unless it has
 * stored what it was.
 */
final class ConsensusServer {
  private static final long MILLI = 1_000_000;

  /** As little as lets a leader speak three times. */
  private static final long HEARTBEAT_NANOS = 20 * MILLI;

  private static final long ELECTION_NANOS = 60 * MILLI;
  private static final int BATCH_BYTES = 1_000;

  /** Clocks run by so many percent too fast, or too slowly. */
  private static final int CLOCK_MAX_PERCENT = 10;

  /** One step does one of the things that wait. */
  private static final int TICKS_AT_ONCE_MAX = 1_000;

  /** So far ahead a clock may get. */
  private static final long AHEAD_MAX_NANOS = 3_000 * MILLI;

  /** Where little is remembered: clients would be refused for good. */
  private static final long SHORT_MEMORY_AHEAD_MAX_NANOS = 1_000 * MILLI;

  private static final long BEHIND_MAX_NANOS = 600 * MILLI;

  /** To check invariants takes longer than most steps. */
  private static final int CHECKED_STEPS = 8;

  /** Where somebody is. */
  record Place(int number) implements Address {
    @Override
    public String toString() {
      return "p" + number;
    }
  }

  private final ConsensusWorld world;
  private final int place;
  private final int batch;
  private final int clockPercent;
  private final ConsensusLimits limits;
  private final @Nullable ConsensusDisk disk;
  private long id;

  /** Which replica it is. */
  private long replicaId;

  /** By how much its clock was set ahead, or less for how long it stood still. */
  private long clockOffNanos;

  private int lives;
  private boolean runs;
  private boolean toldFull;

  /** Since when it runs, or does not. */
  private long sinceNanos;

  private ServiceInstance service;
  private ReplicaByConsensus replica;

  /** What acts: the replica, or somebody who tampers with it. */
  private Replica machine;

  private SortedMap<Long, Address> told;
  private SignsOfLife signs = new SignsOfLife(HEARTBEAT_NANOS);

  /** What follows from what it has executed, and is yet to be done. */
  private List<Effect> wanted = new ArrayList<>();

  private long busySinceNanos;
  private long signsUntilNanos;
  private long stoppedUntilNanos;
  private long ticksAtNanos;
  private int ticksAtOnce;
  private long steps;

  ConsensusServer(ConsensusWorld world, int place, int batch, ConsensusLimits limits) {
    this.world = world;
    this.place = place;
    this.batch = batch;
    this.clockPercent = 100 + world.random().between(-CLOCK_MAX_PERCENT, CLOCK_MAX_PERCENT);
    this.limits = limits;
    this.disk = world.orderAt(place).stores() ? new ConsensusDisk(world, this) : null;
    this.id = world.random().nextLong();
    this.replicaId = id;
    this.told = world.view();
    this.service = world.service(this);
    this.replica = begun();
    this.machine = replica;
  }

  private ReplicaByConsensus begun() {
    runs = true;
    toldFull = false;
    sinceNanos = world.nowNanos();
    told = world.view();
    told.put(id, new Place(place));
    RestoredByConsensus restored = disk == null ? null : disk.read(service);
    replicaId = restored == null || restored.replica() == 0 ? id : restored.replica();
    Order.ByConsensus order = world.orderAt(place);
    Group group =
        new Group(
            replicaId,
            order.quorum(),
            HEARTBEAT_NANOS,
            ELECTION_NANOS,
            order.stores(),
            Group.Leases.of(order.reads()),
            order.isFast(),
            batch,
            BATCH_BYTES);
    if (disk != null) {
      disk.begin(replicaId);
    }
    return new ReplicaByConsensus(
        new LogSettings(world.copies(), order, group, limits.ofLog()),
        new Placement(ConsensusWorld.SERVICE, id, told, 0, limits.room()),
        service,
        restored,
        world.random().nextLong(),
        clockNanos());
  }

  /** A process without memory, but for what is stored. */
  void start() {
    id = world.random().nextLong();
    lives++;
    service = world.service(this);
    replica = begun();
    machine = world.machine(this, replica);
    ticksAtNanos = 0;
    ticksAtOnce = 0;
    stoppedUntilNanos = 0;
    signs = new SignsOfLife(HEARTBEAT_NANOS);
    signsUntilNanos = 0;
    wanted = new ArrayList<>();
    world.trace(name(), "starts as " + Long.toHexString(id));
    tickLater();
  }

  /**
   * Ends its process, and maybe its machine.
   *
   * @param mayForget whether it may come back as another replica, of those that may
   */
  void kill(boolean mayForget) {
    world.trace(name(), "is killed");
    runs = false;
    sinceNanos = world.nowNanos();
    if (disk != null) {
      disk.crash(mayForget);
    }
  }

  void stop(long nanos) {
    world.trace(name(), "stops for " + nanos / MILLI + " ms");
    stoppedUntilNanos = Math.max(stoppedUntilNanos, world.nowNanos() + nanos);
    signsUntilNanos = 0; // Nothing of it runs.
  }

  /**
   * What it executes in this step takes so long: what follows from that is done then, and meanwhile
   * its process says that it is there.
   */
  void executesFor(long nanos) {
    boolean isSameTurn = signsUntilNanos == world.nowNanos();
    busySinceNanos = isSameTurn ? busySinceNanos : world.nowNanos();
    stop(nanos);
    signsUntilNanos = stoppedUntilNanos;
    signLater(id, signsUntilNanos);
  }

  private void signLater(long of, long untilNanos) {
    world.after(
        HEARTBEAT_NANOS,
        () -> {
          if (runs && id == of && signsUntilNanos == untilNanos && world.nowNanos() < untilNanos) {
            signs.again(busySinceNanos, world.nowNanos()).forEach(this::transmit);
            signLater(of, untilNanos);
          }
        });
  }

  /** Its clock leaps ahead, if it may get so far. */
  void leapAhead(long nanos) {
    if (clockOffNanos + nanos <= aheadMaxNanos()) {
      world.trace(name(), "has its clock set ahead by " + nanos / MILLI + " ms");
      clockOffNanos += nanos;
      tickLater();
    }
  }

  /** So far ahead its clock may get. */
  long aheadMaxNanos() {
    return limits.forgetsSoon() ? SHORT_MEMORY_AHEAD_MAX_NANOS : AHEAD_MAX_NANOS;
  }

  /** It stops, and its clock with it, as of a virtual machine that is paused. */
  void standStill(long nanos) {
    boolean trustsClock = Group.Leases.of(world.order().reads()) != Group.Leases.NONE;
    if (!trustsClock && !isStopped() && clockOffNanos - nanos >= -BEHIND_MAX_NANOS) {
      stop(nanos);
      world.trace(name(), "has a clock that stands still");
      clockOffNanos -= nanos / 100 * clockPercent;
    }
  }

  /** Something of its disk fails until its process has started again, if it has one. */
  void failDisk(ConsensusDisk.Fault fault) {
    if (disk != null) {
      disk.fail(fault);
    }
  }

  /** Nothing of its disk fails. */
  void mendDisk() {
    if (disk != null) {
      disk.mend();
    }
  }

  /** Whether its disk may fail at any moment. */
  boolean hasFailingDisk() {
    return disk != null && disk.fails();
  }

  /** Its log cannot be written. */
  void logFailed() {
    if (runs) {
      world.faults().restart(this, false);
    }
  }

  String name() {
    return "s" + place;
  }

  int place() {
    return place;
  }

  long id() {
    return id;
  }

  /** Which replica it is. */
  long replicaId() {
    return replicaId;
  }

  boolean runs() {
    return runs;
  }

  /** Whether it has run all the time since then, or not at all. */
  boolean hasRun(boolean allTheTime, long since) {
    return runs == allTheTime && sinceNanos <= since && stoppedUntilNanos <= since;
  }

  /** Whether this is its disk. */
  boolean has(ConsensusDisk one) {
    return disk == one;
  }

  /** What it would store now; null while it executes. */
  @Nullable Checkpoint checkpoint() {
    return wanted.isEmpty() ? replica.checkpoint() : null;
  }

  /** Its log is not what it wrote any more, if it has stored one. */
  void damage() {
    if (disk != null) {
      disk.damage();
    }
  }

  boolean isStopped() {
    return stoppedUntilNanos > world.nowNanos();
  }

  /** When it goes on, or did. */
  long stoppedUntilNanos() {
    return stoppedUntilNanos;
  }

  /** What acts there. */
  Replica machine() {
    return machine;
  }

  /** What it hosts. */
  ServiceInstance service() {
    return service;
  }

  /** Who the members are, for good, as it knows. */
  List<Long> members() {
    return replica.members();
  }

  /** What its state is, and after how many slots; for those that answer. */
  @Nullable Reached reached() {
    Message.ServiceStatus status = replica.status("replicas");
    if (!runs || !status.active()) {
      return null;
    }
    StateHashes hashes = service.hashes();
    hashes.advance(machine.version());
    return new Reached(status.settledEpoch(), hashes.total());
  }

  /** A state. */
  record Reached(long slot, long hash) {}

  /** Whether it may host what others do not. */
  boolean isOdd() {
    return place == 0 && lives <= 1;
  }

  /** Who is there is known after a while. */
  void tell(SortedMap<Long, Address> view) {
    if (runs && !isStopped() && !view.equals(told)) {
      told = view;
      step(new Event.ViewChanged(clockNanos(), view));
    }
  }

  /** Something has come for it; it takes it once it goes on. */
  void received(int from, Message message) {
    if (isStopped()) {
      long of = id;
      world.after(
          stoppedUntilNanos - world.nowNanos(),
          () -> {
            if (id == of) {
              received(from, message);
            }
          });
    } else if (runs) {
      tellWhetherFull();
      step(
          world
              .shedding()
              .arrived(place, world.nowNanos(), clockNanos(), new Place(from), message));
    }
  }

  private void tellWhetherFull() {
    boolean isFull = world.shedding().sheds(place, world.nowNanos());
    if (isFull != toldFull) {
      toldFull = isFull;
      step(new Event.Loaded(clockNanos(), 0, isFull));
    }
  }

  /** What its clock shows. */
  long clockNanos() {
    return world.clockNanos(clockPercent) + clockOffNanos;
  }

  /** Something happens to it, and it does what follows. */
  void step(Event event) {
    performWanted();
    List<Effect> effects;
    try {
      effects = machine.step(event);
      if (++steps % CHECKED_STEPS == 0) {
        machine.checkInvariants();
      }
    } catch (RuntimeException | AssertionError thrown) {
      throw new Violation.Found(
          Violation.Kind.THREW, name() + " threw " + thrown + " at " + event, thrown);
    }
    limits.stepped(replica, effects);
    wanted.addAll(effects);
    performLater(id);
  }

  /** Once it has executed what that takes. */
  private void performLater(long of) {
    if (isStopped()) {
      world.after(stoppedUntilNanos - world.nowNanos(), () -> performLater(of));
    } else if (runs && id == of) {
      performWanted();
    }
  }

  private void performWanted() {
    List<Effect> effects = wanted;
    wanted = new ArrayList<>();
    perform(effects);
  }

  private void perform(List<Effect> effects) {
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send send -> send(send);
        case Effect.Make(Address to, var message) -> send(new Effect.Send(to, message.get()));
        case Effect.Persist persist when disk != null -> disk.persist(persist, this::stored);
        case Effect.CameOn cameOn -> {}
        case Effect.Hindered(String why) -> world.trace(name(), "waits: " + why);
        default -> world.perform(this, effect);
      }
    }
    tickLater();
  }

  private void send(Effect.Send send) {
    if (send.message() instanceof Message.OfLog said) {
      signs.said(send.to(), said, world.nowNanos());
    }
    transmit(send);
  }

  private void transmit(Effect.Send send) {
    if (send.to() instanceof Place(int number)) {
      world.send(place, number, send.message());
    }
  }

  /** What it says is stored; to itself it says so at once. */
  private void stored(Effect.Send said) {
    if (said.to().equals(new Place(place))) {
      received(place, said.message());
    } else {
      send(said);
    }
  }

  /** Whatever has happened may have brought it forward. */
  private void tickLater() {
    long nowNanos = world.nowNanos();
    long due = world.sinceBegin(machine.nextTickNanos() - clockOffNanos, clockPercent) + 100;
    long dueNanos = Math.max(due, Math.max(stoppedUntilNanos, nowNanos + 1));
    if (ticksAtNanos > nowNanos && ticksAtNanos <= dueNanos) {
      return;
    }
    ticksAtNanos = dueNanos;
    long of = id;
    world.after(
        dueNanos - nowNanos,
        () -> {
          if (runs && id == of && ticksAtNanos == dueNanos) {
            ticksAtNanos = 0;
            if (isStopped()) {
              tickLater();
            } else {
              tick();
            }
          }
        });
  }

  private void tick() {
    long clockNanos = clockNanos();
    step(new Event.Tick(clockNanos));
    ticksAtOnce = machine.nextTickNanos() <= clockNanos ? ticksAtOnce + 1 : 0;
    if (ticksAtOnce > TICKS_AT_ONCE_MAX) {
      throw new Violation.Found(
          new Violation(Violation.Kind.STUCK, name() + " is due again and again, for nothing"));
    }
  }

  @Override
  public String toString() {
    return name() + " " + Long.toHexString(id) + (runs ? " " + replica : " is down");
  }
}
