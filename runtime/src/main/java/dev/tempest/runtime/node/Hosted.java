package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Placement.Room;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Restored;
import dev.tempest.runtime.Joined;
import dev.tempest.runtime.LogLimit;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.flight.Flight;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.state.versioned.CollectionSize;
import dev.tempest.state.versioned.UnreadableStateException;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.CheckpointAge;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.ReplicaRole;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One replica on this host. A bug in it stops it, and only it: its state can no longer be trusted.
 *
 * <p>Owned by the event loop.
 */
final class Hosted {
  private static final System.Logger LOGGER = LogLines.logger(Hosted.class);
  private static final long LEADER_LOOK_NANOS = 500_000_000;
  private static final ServiceStatus ABSENT =
      new ServiceStatus(
          "",
          false,
          ReplicaRole.PEER,
          0,
          0,
          -1,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          Message.NOT_KNOWN,
          CheckpointAge.NONE);

  final long id;
  final ServiceInterface description;
  private final Holder holder;
  private final Order order;
  private final int size;
  private final Room room;
  private final Supplier<CheckpointAge> checkpoint;
  private @Nullable Restored restored;

  /** What it comes back with, in words; empty for nothing. */
  private final String own;

  private final @Nullable StoredLog log;
  private final Arrival arrival;
  private final LogLimit hindrances = new LogLimit();
  private final OtherPolicy otherPolicy;
  private final Suspension suspension;
  private SortedMap<Long, Address> view = Collections.emptySortedMap();
  private @Nullable String joinedFrom;
  private long joinedWith;
  private long startedNanos;
  private long leaderLookNanos;
  private boolean leads;
  private long publishAtNanos = Long.MAX_VALUE;

  /** Why it stopped; null while it has not. */
  private @Nullable String stopped;

  /**
   * A replica to be.
   *
   * @param restored what it comes back with; null for nothing
   * @param log where it stores what it agrees to; null for nowhere
   * @param size how many there are to be; 0 if that is open
   * @param room how much may wait for other replicas
   * @param checkpoint of what is on its disk
   * @param arrival of its state
   */
  Hosted(
      Holder holder,
      ServiceInterface description,
      Order order,
      @Nullable Restored restored,
      @Nullable StoredLog log,
      int size,
      Room room,
      Supplier<CheckpointAge> checkpoint,
      Arrival arrival) {
    this.id = NameHash.of(holder.name());
    this.holder = holder;
    this.description = description;
    this.order = order;
    this.restored = restored;
    this.own = restored == null ? "" : restored.source();
    this.log = log;
    this.size = size;
    this.room = room;
    this.checkpoint = checkpoint;
    this.arrival = arrival;
    this.otherPolicy = new OtherPolicy(holder.name(), order);
    this.suspension = new Suspension(holder.name(), description);
    holder
        .instance()
        .watch(
            System::nanoTime,
            (method, tookNanos) -> Flight.slowMethod(holder.name(), method, tookNanos));
  }

  String name() {
    return holder.name();
  }

  /** Whether only members that the configuration lists count. */
  boolean isOfListed() {
    return switch (order) {
      case Order.ByTime byTime -> false;
      case Order.ByConsensus byConsensus -> true;
    };
  }

  /** Whether a primary keeps it, and the view service is asked who that is. */
  boolean isByPrimary() {
    return order.isByPrimary();
  }

  /** Whether front-ends can ask it; the collections have no methods. */
  boolean isService() {
    return !description.methods().isEmpty();
  }

  /** How its state comes. Any thread may ask. */
  Arrival arrival() {
    return arrival;
  }

  boolean isStopped() {
    return stopped != null;
  }

  /** Why it stopped; null while it has not. */
  @Nullable String whyStopped() {
    return stopped;
  }

  /** The replicas alive, this one included, and where they are reached; empty before it starts. */
  SortedMap<Long, Address> view() {
    return view;
  }

  /** Who is alive and hosts the same; the first time it starts the replica. */
  List<Effect> follow(long self, SortedMap<Long, Address> hosts, long nowNanos) {
    if (hosts.equals(view) || isStopped()) {
      return List.of();
    }
    boolean first = view.isEmpty();
    view = hosts;
    if (!first) {
      return step(new Event.ViewChanged(nowNanos, hosts));
    }
    Placement placement = new Placement(id, self, hosts, size, room);
    long seed = ThreadLocalRandom.current().nextLong();
    Restored had = restored;
    if (log != null) {
      log.begin(had == null || had.replica() == 0 ? self : had.replica());
    }
    startedNanos = System.nanoTime();
    holder.start(service -> Orders.replica(order, placement, service, had, seed, nowNanos));
    restored = null; // It would keep alive what the replica has long left behind.
    publishAtNanos = nowNanos;
    return List.of();
  }

  /** Lets the replica act; nothing once it is stopped. */
  List<Effect> step(Event event) {
    if (isStopped()) {
      return List.of();
    }
    publishAtNanos = Math.min(publishAtNanos, event.nowNanos());
    String elsewhere = otherPolicy.hear(event);
    if (elsewhere != null && !arrival.active().isDone()) { // It does not begin beside their state.
      stop(
          ": it is hosted otherwise here than with %s. Host it alike everywhere; its state does"
                  .formatted(elsewhere)
              + " not follow from one consistency to the other. For that, host it under another"
              + " name, too, and let a program of yours carry the contents over",
          null);
      return List.of();
    }
    try {
      List<Effect> effects = holder.step(event);
      if (joinedFrom == null
          && event instanceof Event.Received(long now, Address from, Message message)
          && bringsState(message)
          && !arrival.active().isDone()) {
        joinedFrom = from.toString();
      }
      return effects;
    } catch (Throwable bug) {
      stop(bug);
      return List.of();
    }
  }

  private static boolean bringsState(Message message) {
    return message instanceof StatePiece
        || (message instanceof OfLog(long service, long replica, LogMessage said)
            && (said instanceof LogMessage.Sync || said instanceof LogMessage.StatePart));
  }

  /** Does what is due. */
  List<Effect> tick(long nowNanos) {
    List<Effect> effects =
        !isStopped() && holder.dueNanos() <= nowNanos ? step(new Event.Tick(nowNanos)) : List.of();
    if (publishAtNanos <= nowNanos && !isStopped()) {
      publish();
    }
    noteLeader(nowNanos);
    String complaint = holder.takeComplaint();
    if (complaint != null) {
      LOGGER.log(Level.WARNING, "In {0}, {1}", name(), complaint);
    }
    return effects;
  }

  /** For the flight recorder only, and so only while there is one. */
  private void noteLeader(long nowNanos) {
    if (isOfListed() && nowNanos >= leaderLookNanos && Flight.isOn()) {
      leaderLookNanos = nowNanos + LEADER_LOOK_NANOS;
      boolean leading = status().role() == ReplicaRole.LEADER;
      if (leading != leads) {
        leads = leading;
        Flight.leaderChange(name(), leading);
      }
    }
  }

  /** Has stored what must not be lost. */
  void persist(Effect.Persist persist) {
    if (log != null) {
      log.persist(persist);
    }
  }

  /** What may be sent since it is stored. */
  List<Effect> stored(@Nullable Address self, long nowNanos) {
    if (log == null || isStopped()) {
      return List.of();
    }
    Throwable failure = log.failure();
    if (failure != null) {
      stop(
          ", and the others go on without it: %s could not be written: %s. Make room there, or let"
                  .formatted(log, failure)
              + " this process write there, and restart it",
          failure);
      return List.of();
    }
    List<Effect> effects = new ArrayList<>();
    for (Effect.Send next = log.takeReady(); next != null; next = log.takeReady()) {
      if (next.to().equals(self)) {
        effects.addAll(step(new Event.Received(nowNanos, next.to(), next.message())));
      } else {
        effects.add(next);
      }
    }
    return effects;
  }

  private void publish() {
    try {
      publishAtNanos = holder.publish();
      if (!arrival.active().isDone() && holder.ask(this::hasArrived, false)) {
        joinedWith = status().executed();
        Flight.stateTransfer(
            name(),
            joinedFrom == null ? "" : joinedFrom,
            joinedWith,
            System.nanoTime() - startedNanos);
        arrival.active().complete(true);
      }
    } catch (Throwable bug) {
      stop(bug);
    }
  }

  /** Who has executed something else than others takes their state first, if it can read that. */
  private boolean hasArrived(Replica replica) {
    return replica.isSpare()
        || (replica.isActive() && (suspension.isOn() || replica.status(name()).active()));
  }

  /** Until when it needs nothing, at the latest until then. */
  long rest(long latestNanos) {
    try {
      return isStopped() ? latestNanos : holder.rest(Math.min(latestNanos, publishAtNanos));
    } catch (Throwable bug) {
      stop(bug);
      return latestNanos;
    }
  }

  void acked(Effect.Acked acked) {
    holder.acked(acked);
  }

  void decided(Effect.Decided decided) {
    holder.decided(decided);
  }

  void diverged(Effect.Diverged diverged) {
    holder.diverged(diverged);
  }

  void outcomeDiffers(Effect.OutcomeDiffers differs, long nowNanos) {
    holder.outcomeDiffers(differs, nowNanos);
  }

  void clockSet(Effect.ClockSet set) {
    LOGGER.log(
        Level.WARNING,
        "The clock of this process is {0} ms {1} those of the other members; updates of {2} count"
            + " by theirs. Check that the time of this machine is synchronized",
        Math.abs(set.aheadMillis()),
        set.aheadMillis() > 0 ? "behind" : "ahead of",
        name());
  }

  void farAhead(Effect.FarAhead ahead) {
    LOGGER.log(
        Level.WARNING,
        "The replica of {0} is {1} ms ahead of most other members and cannot go back: it takes no"
            + " writes until they are there. Set the clock of this machine right, and restart"
            + " this process; if it comes back as far ahead, delete its checkpoints of {0} first",
        name(),
        ahead.millis());
  }

  void reconciled(Effect.Reconciled reconciled, long nowMillis) {
    holder.reconciled(reconciled.what(), nowMillis);
  }

  /** It has no state yet, and this is why. */
  void hindered(String why, long nowNanos) {
    arrival.hindered("the replica of %s waits for a state: %s".formatted(name(), why));
    if (hindrances.admits(nowNanos)) {
      LOGGER.log(
          Level.WARNING,
          "The replica of {0} waits for a state: {1}. " + LogLimit.OTHERS,
          name(),
          why);
    }
  }

  /** {@link Suspension#begin}. */
  Message suspended(String why, long nowNanos) {
    return suspension.begin(why, nowNanos);
  }

  /** {@link Suspension#described}. */
  void described(Message.Description theirs) {
    suspension.described(theirs);
  }

  /** It has the state of a replica with newer code. */
  void resumed() {
    suspension.end();
  }

  /** Others settle what it cannot execute, and it comes to no state of theirs. */
  void gaveUp(String why) {
    stop(
        ", and the others keep the state: this server is too old, got no state from them, and holds"
            + " no more of what they execute. Upgrade this server. What it cannot execute: "
            + why,
        null);
  }

  /** Whether another member is known to have all that was executed here. */
  boolean isHandedOver() {
    return isStopped() || holder.ask(Replica::isHandedOver, true);
  }

  /** How it came to its state. */
  Joined joined() {
    return new Joined(name(), own, joinedWith == 0 ? null : joinedFrom, joinedWith);
  }

  ServiceStatus status() {
    // What has stopped may be broken in any way.
    ServiceStatus status =
        isStopped() ? ABSENT : holder.ask(replica -> replica.status(name()), ABSENT);
    return new ServiceStatus(
        name(),
        !isStopped() && !suspension.isOn() && status.active(),
        status.role(),
        status.executed(),
        status.hash(),
        status.settledEpoch(),
        status.unsettled(),
        status.late(),
        status.rerun(),
        status.repaired(),
        status.reads(),
        status.byVotes(),
        status.diverged(),
        isStopped() ? Message.NOT_KNOWN : status.lagMillis(),
        checkpoint.get());
  }

  /** What reads see; null before it has state, and once it has stopped. */
  @Nullable Version shown() {
    return isStopped() ? null : holder.shown();
  }

  /** All that was executed here; empty before it has state, and once it has stopped. */
  Optional<Checkpoint> checkpoint() {
    return isStopped()
        ? Optional.empty()
        : holder.ask(replica -> Optional.ofNullable(replica.checkpoint()), Optional.empty());
  }

  /** What it executes. */
  ServiceInstance instance() {
    return holder.instance();
  }

  /** How large its collections are; none before it has state. */
  List<CollectionSize> sizes() {
    Version version = shown();
    return version == null ? List.of() : version.sizes();
  }

  /** The host ends. */
  void end() {
    arrival.active().complete(false);
    holder.close();
  }

  private void stop(Throwable bug) {
    stop(
        bug instanceof UnreadableStateException
            ? ", and the others keep the state: %s. Declare what the state holds, and give what has"
                    .formatted(bug.getMessage())
                + " another type another name"
            : " because of a bug in Tempest or in the service. Restart the process, so that it"
                + " takes the state of another one, and report this exception",
        bug);
  }

  private void stop(String why, @Nullable Throwable cause) {
    String text = "The replica of %s in this process stopped".formatted(name()) + why;
    stopped = text;
    arrival.stopped(new Arrival.Stop(text, cause));
    end();
    LOGGER.log(Level.ERROR, text, cause);
  }
}
