package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.log.Group;
import dev.tempest.protocol.order.log.LogSettings;
import dev.tempest.protocol.order.log.ReplicaByConsensus;
import dev.tempest.protocol.order.log.RestoredByConsensus;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.StateHashes;
import dev.tempest.wire.Message;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A place for a server, and what runs there: each life is a replica of its own, unless it has
 * stored what it was.
 */
final class CountingServer {
  private static final long MILLI = 1_000_000;

  /** As little as lets a leader speak three times. */
  private static final long HEARTBEAT_NANOS = 20 * MILLI;

  private static final long ELECTION_NANOS = 60 * MILLI;
  private static final int BATCH_BYTES = 1_000;

  /** Clocks run by so many percent too fast, or too slowly. */
  private static final int CLOCK_MAX_PERCENT = 10;

  /** Where somebody is. */
  record Place(int number) implements Address {
    @Override
    public String toString() {
      return "p" + number;
    }
  }

  private final CountingWorld world;
  private final int place;
  private final int batch;
  private final int clockPercent;
  private final long logMaxBytes;
  private final @Nullable CountingDisk disk;
  private long id;

  /** Which replica it is. */
  private long replicaId;

  private int lives;
  private boolean runs;

  /** Since when it runs, or does not. */
  private long sinceNanos;

  private ServiceInstance service;
  private ReplicaByConsensus replica;
  private SortedMap<Long, Address> told;
  private long stoppedUntilNanos;
  private long ticksAtNanos;

  CountingServer(CountingWorld world, int place, int batch, long logMaxBytes) {
    this.world = world;
    this.place = place;
    this.batch = batch;
    this.clockPercent = 100 + world.random().between(-CLOCK_MAX_PERCENT, CLOCK_MAX_PERCENT);
    this.logMaxBytes = logMaxBytes;
    this.disk = world.order().stores() ? new CountingDisk(world, "s" + place) : null;
    this.id = world.random().nextLong();
    this.replicaId = id;
    this.told = world.view();
    this.service = service();
    this.replica = begun();
  }

  /** What it hosts: in its first life maybe what others do not. */
  private ServiceInstance service() {
    return switch (isOdd() ? world.oddity() : CountingWorld.Oddity.NONE) {
      case NONE ->
          ServiceInstance.of(Counting.class, state -> new CountingService(state, this::work, null));
      case OLDER ->
          ServiceInstance.of(
              OlderCounting.class, state -> new OlderCountingService(state, this::work));
      case NOT_DETERMINISTIC -> {
        Randomness own = new Randomness(id);
        yield ServiceInstance.of(
            Counting.class, state -> new CountingService(state, this::work, own));
      }
    };
  }

  private ReplicaByConsensus begun() {
    runs = true;
    sinceNanos = world.nowNanos();
    told = world.view();
    told.put(id, new Place(place));
    RestoredByConsensus restored = disk == null ? null : disk.read(service);
    replicaId = restored == null || restored.replica() == 0 ? id : restored.replica();
    boolean leases = world.order().reads() == Order.ByConsensus.Reads.LEASE;
    boolean stores = world.order().stores();
    Group group =
        new Group(replicaId, HEARTBEAT_NANOS, ELECTION_NANOS, stores, leases, batch, BATCH_BYTES);
    if (disk != null) {
      disk.begin(replicaId);
    }
    return new ReplicaByConsensus(
        new LogSettings(world.size(), world.order(), group, logMaxBytes),
        Placement.of(CountingWorld.SERVICE, id, told),
        service,
        restored,
        world.random().nextLong(),
        clockNanos());
  }

  /** A process without memory, but for what is stored. */
  void start() {
    id = world.random().nextLong();
    lives++;
    service = service();
    replica = begun();
    ticksAtNanos = 0;
    stoppedUntilNanos = 0;
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

  private void work() {
    long nanos = world.busyNanos();
    if (nanos > 0) {
      stop(nanos);
    }
  }

  void stop(long nanos) {
    world.trace(name(), "stops for " + nanos / MILLI + " ms");
    stoppedUntilNanos = world.nowNanos() + nanos;
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
  boolean has(CountingDisk one) {
    return disk == one;
  }

  /** What it would store now. */
  @Nullable Checkpoint checkpoint() {
    return replica.checkpoint();
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

  /** Who the members are, for good, as it knows. */
  List<Long> members() {
    return replica.members();
  }

  /** What its state is, and after how many slots; for those that answer. */
  @Nullable Reached reached() {
    Message.ServiceStatus status = replica.status("counting");
    if (!runs || !status.active()) {
      return null;
    }
    StateHashes hashes = service.hashes();
    hashes.advance(replica.version());
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
      step(new Event.Received(clockNanos(), new Place(from), message));
    }
  }

  private long clockNanos() {
    return world.clockNanos(clockPercent);
  }

  private void step(Event event) {
    List<Effect> effects;
    try {
      effects = replica.step(event);
      replica.checkInvariants();
    } catch (RuntimeException | AssertionError thrown) {
      throw new Violation.Found(
          Violation.Kind.THREW, name() + " threw " + thrown + " at " + event, thrown);
    }
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(Address to, Message message) -> send(to, message);
        case Effect.Make(Address to, var message) -> send(to, message.get());
        case Effect.Persist persist when disk != null -> disk.persist(persist, this::stored);
        case Effect.CameOn cameOn -> {}
        case Effect.Hindered(String why) -> world.trace(name(), "waits: " + why);
        case Effect.Suspended(String why) when world.oddity() == CountingWorld.Oddity.OLDER ->
            world.trace(name(), "is suspended: " + why);
        case Effect.OutcomeDiffers(String method, Address leader)
            when world.oddity() == CountingWorld.Oddity.NOT_DETERMINISTIC ->
            world.trace(name(), "came to something else than " + leader + " by " + method);
        case Effect.Resumed resumed -> world.trace(name(), "goes on");
        default ->
            throw new Violation.Found(
                new Violation(Violation.Kind.THREW, name() + " wants " + effect));
      }
    }
    tickLater();
  }

  private void send(Address to, Message message) {
    if (to instanceof Place(int number)) {
      world.send(place, number, message);
    }
  }

  /** What it says is stored; to itself it says so at once. */
  private void stored(Effect.Send said) {
    if (said.to().equals(new Place(place))) {
      received(place, said.message());
    } else {
      send(said.to(), said.message());
    }
  }

  /** Whatever has happened may have brought it forward. */
  private void tickLater() {
    long nowNanos = world.nowNanos();
    long due = world.sinceBegin(replica.nextTickNanos(), clockPercent) + 100;
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
              step(new Event.Tick(clockNanos()));
            }
          }
        });
  }

  @Override
  public String toString() {
    return name() + " " + Long.toHexString(id) + (runs ? " " + replica : " is down");
  }
}
