package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.membership.MemberSettings;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.protocol.order.time.RestoredByTime;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A server with one replica. */
final class ReplicaProcess extends SimProcess {
  private ReplicaSettings settings;
  private @Nullable SortedMap<Long, Address> told;

  /** Who is there, as its machine knows it. */
  private SortedSet<Long> present = Collections.emptySortedSet();

  private @Nullable Reference reference;
  private final ReplicaMachine.Factory factory;
  private @Nullable ServiceInstance instance;
  private @Nullable ReplicaMachine machine;
  private int toldLoad;
  private boolean isOlder;
  private boolean hasBegun; // In this life: its application writes from then on.

  /** How it is a member; null if it is told who is there. */
  private @Nullable MemberSettings memberSettings;

  private @Nullable Membership membership;
  private ReplicaRules rules;

  /** Null if it has none. */
  private @Nullable ReplicaDisk disk;

  ReplicaProcess(
      Cluster cluster, int index, SimClock clock, long stepNanos, ReplicaMachine.Factory factory) {
    super(cluster, index, "r" + (index + 1), clock, stepNanos);
    this.settings = cluster.settings(index);
    this.factory = factory;
    this.rules = new ReplicaRules(cluster, this);
  }

  /** The machine while the process is up. */
  ReplicaMachine machine() {
    if (machine == null) {
      throw new IllegalStateException(name + " is down");
    }
    return machine;
  }

  /** The settings of this life. */
  ReplicaSettings settings() {
    return settings;
  }

  /** The service that it executes. */
  ServiceInstance instance() {
    if (instance == null) {
      throw new IllegalStateException(name + " has not started");
    }
    return instance;
  }

  /** From now on it writes checkpoints, and begins with them. */
  void writesTo(ReplicaDisk itsDisk) {
    disk = itsDisk;
  }

  /** From now on it finds the others by itself. */
  void joins(MemberSettings itsSettings) {
    memberSettings = itsSettings;
  }

  /** What it would write now; null for nothing. */
  @Nullable Checkpoint checkpoint() {
    return machine == null ? null : machine.checkpoint();
  }

  /** Whether it runs the older release. */
  boolean isOlder() {
    return isOlder;
  }

  /** Starts it again with the other release. */
  void changeRelease() {
    crash();
    isOlder = !isOlder;
    cluster.trace(name, isOlder ? "gets the older release" : "gets the newer release");
    start();
  }

  /** As people do whom it has told. */
  private void upgradeIfOlder() {
    if (isUp() && isOlder) {
      changeRelease();
    }
  }

  boolean isActive() {
    return machine != null && machine.isActive();
  }

  /** Whether it finds the others by itself, and has found them. */
  boolean isMember() {
    return membership != null && membership.isMember();
  }

  @Override
  long senderId() {
    return settings.self();
  }

  @Override
  void create(long clockNanos) {
    if (cluster.viewsChange()) {
      settings = cluster.settings(index);
      cluster.names().client(settings.self(), name + "." + incarnation().number());
    }
    Workload workload = cluster.workload();
    instance = isOlder ? workload.older(settings.self()) : workload.instance(settings.self());
    rules = new ReplicaRules(cluster, this);
    told = null;
    present = Collections.emptySortedSet();
    toldLoad = 0;
    hasBegun = false;
    if (memberSettings == null) {
      begin(clockNanos);
    } else {
      membership = new Membership(cluster, memberSettings, settings.self(), this, clockNanos);
    }
  }

  /** Makes the replica. */
  private void begin(long clockNanos) {
    ServiceInstance service = instance();
    reference =
        cluster.workload().writes() || cluster.workload().executesAny()
            ? new Reference(service, settings.timing().epochs().lengthMillis())
            : null;
    RestoredByTime restored = disk == null ? null : disk.read(service);
    ReplicaMachine made =
        factory.create(settings, service, restored, cluster.random().nextLong(), clockNanos);
    if (reference != null && restored != null) {
      reference.takes(made);
    }
    if (disk != null && restored != null) {
      disk.check(made);
    }
    if (restored != null && cluster.replicas().stream().noneMatch(ReplicaProcess::isActive)) {
      cluster.allHaveLost();
    }
    boolean waitsForAll = restored != null && restored.replicas() == cluster.replicas().size();
    if (disk != null && incarnation().number() > 0 && !waitsForAll) {
      cluster.history().beganApart(); // It does not know for whom it should wait.
    }
    machine = made;
  }

  @Override
  void crash() {
    if (isUp()) {
      noteExecuted();
      cluster.ackedWrites().crashes(this);
      cluster.closeBehind().crashes(this);
      cluster.history().lost(incarnation());
      super.crash();
      machine = null;
      membership = null;
      if (disk != null) {
        disk.crash();
      }
      if (disk == null && cluster.replicas().stream().noneMatch(ReplicaProcess::isActive)) {
        cluster.allHaveLost();
      }
    }
  }

  @Override
  long nextTickNanos() {
    long replicaNanos = machine == null ? Long.MAX_VALUE : machine.nextTickNanos();
    return membership == null ? replicaNanos : Math.min(replicaNanos, membership.nextTickNanos());
  }

  @Override
  void take(Input input, long clockNanos) {
    Outbox outbox = new Outbox();
    boolean taken = membership != null && takesPart(membership, input, clockNanos, outbox);
    if (!taken && machine != null) {
      step(input, clockNanos, outbox);
    }
    cluster.traceStep(name, input, outbox);
    outbox.leave();
    if (reference != null && machine != null) {
      reference.stepped(machine);
    }
  }

  /** Whether its membership has taken something, or time has only passed there. */
  private boolean takesPart(Membership member, Input input, long clockNanos, Outbox outbox) {
    boolean taken =
        switch (input) {
          case Input.Arrived(int from, Message.MemberMessage message) -> {
            member.take(from, message, clockNanos, outbox);
            yield true;
          }
          case Input.Arrived(int from, Message.ReplicaMessage message) ->
              !member.admits(from, message, clockNanos, outbox);
          default -> false;
        };
    member.tick(clockNanos, outbox);
    SortedMap<Long, Address> hosts = member.hosts(isActive());
    if (hosts != null && !hosts.equals(told)) {
      follow(hosts, clockNanos, outbox);
    }
    List<Long> ended = member.ended();
    if (!ended.isEmpty() && machine != null) {
      step(new Event.Ended(clockNanos, ended), outbox);
    }
    return taken;
  }

  /** The first time it knows who is there it begins. */
  private void follow(SortedMap<Long, Address> hosts, long clockNanos, Outbox outbox) {
    boolean isFirst = told == null;
    told = hosts;
    knows(hosts);
    cluster.trace(name, "knows " + cluster.names().view(hosts.keySet()));
    if (isFirst) {
      if (cluster.replicas().stream()
          .anyMatch(other -> other.isUp() && !hosts.containsKey(other.senderId()))) {
        cluster.history().beganApart();
      }
      settings = Membership.among(hosts, settings);
      begin(clockNanos);
    } else {
      step(new Event.ViewChanged(clockNanos, hosts), outbox);
    }
  }

  private void knows(SortedMap<Long, Address> view) {
    present = new TreeSet<>(view.keySet());
    cluster.closeBehind().told(this, view);
  }

  private void step(Input input, long clockNanos, Outbox outbox) {
    Event event =
        switch (input) {
          case Input.Arrived(int from, Message message) ->
              cluster.arrived(this, clockNanos, from, message);
          case Input.TimerFired() -> new Event.Tick(clockNanos);
          case Input.Told(SortedMap<Long, Address> view) -> {
            knows(view);
            yield new Event.ViewChanged(clockNanos, view);
          }
          case Input.Writes writes -> written(writes, clockNanos);
          case Input.EndsWait(long ticket) -> {
            cluster.ackedWrites().givesUp(ticket);
            yield new Event.EndWait(clockNanos, ticket);
          }
          case Input.Submitted submitted ->
              throw new IllegalStateException("nobody submits to a replica: " + submitted);
        };
    if (waiting() != toldLoad) {
      toldLoad = waiting();
      guarded(new Event.Loaded(clockNanos, toldLoad, false));
    }
    if (input instanceof Input.Arrived arrived) {
      cluster.acrossReplicas().arrives(this, arrived.message());
      rules.arrives(arrived.message());
      if (disk != null && arrived.message() instanceof Message.StateUnavailable by) {
        disk.told(by);
      }
    }
    rules.begins();
    // A step may answer first and execute again then, or the other way round.
    long rerunsBefore = reruns();
    List<Effect> effects = new ArrayList<>(guarded(event));
    if (input instanceof Input.Writes writes && event instanceof Event.Written) {
      RequestId id = cluster.ackedWrites().lastOf(this);
      cluster.history().named(id);
      cluster.closeBehind().wrote(this, id);
      effects.addAll(awaitAcks(writes, id, clockNanos));
    }
    if (input instanceof Input.Arrived(int from, Message.Ack ack)) {
      cluster.closeBehind().confirmed(this, ack);
    }
    rules.sends(clockNanos, input, effects);
    perform(effects, rerunsBefore, outbox);
  }

  private void step(Event event, Outbox outbox) {
    long rerunsBefore = reruns();
    perform(guarded(event), rerunsBefore, outbox);
  }

  private void perform(List<Effect> effects, long rerunsBefore, Outbox outbox) {
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(SimAddress(int to), Message message) -> {
          rules.observe(message, rerunsBefore, reruns());
          outbox.add(to, message);
        }
        case Effect.Make(SimAddress(int to), var making) -> {
          Message message = making.get();
          rules.observe(message, rerunsBefore, reruns());
          outbox.add(to, message);
        }
        case Effect.Hindered hindered -> {}
        case Effect.CameOn cameOn -> {}
        case Effect.Suspended suspended -> {}
        case Effect.Resumed resumed -> {}
        case Effect.GaveUp gaveUp -> cluster.at(cluster.nowNanos(), this::upgradeIfOlder);
        case Effect.Acked acked -> cluster.ackedWrites().ended(this, acked);
        case Effect.Diverged(List<String> collections, Address other) ->
            cluster.history().diverged(incarnation(), collections);
        case Effect.ClockSet set -> {} // For people.
        case Effect.FarAhead ahead -> {} // For people.
        case Effect.Reconciled(var what) -> cluster.history().gaveUp(what.withdrawn());
        case Effect.Spread(Message message) -> {
          if (message instanceof Message.Repair writes) {
            cluster.closeBehind().spreads(this, writes);
          }
          rules.observe(message, rerunsBefore, reruns());
          for (Address other : (told == null ? settings.view() : told).values()) {
            if (other instanceof SimAddress(int to) && to != index) {
              outbox.add(to, message);
            }
          }
        }
        default -> throw new IllegalStateException("of another world or order: " + effect);
      }
    }
  }

  /** Who it was told is there; null if nobody has told it anything. */
  @Nullable SortedMap<Long, Address> told() {
    return told;
  }

  /** The ids of those that are there, as far as its machine knows. */
  SortedSet<Long> present() {
    return present;
  }

  /** Tells it who is there. */
  void tell(SortedMap<Long, Address> view) {
    told = view;
    offer(new Input.Told(view));
  }

  /**
   * Lets it write, if it is there to and once others have room for it, and wait until so many have
   * it.
   *
   * @param patienceMillis for how long; 0 for ever
   */
  void write(int acks, long patienceMillis) {
    Input.Writes writes = new Input.Writes(acks, patienceMillis);
    if (isUp() && told != null && !cluster.closeBehind().waits(this, writes)) {
      offer(writes);
    }
  }

  private List<Effect> awaitAcks(Input.Writes writes, RequestId id, long clockNanos) {
    if (writes.acks() == 1) {
      return List.of();
    }
    long tag = cluster.history().writes().lastKey();
    long ticket = cluster.ackedWrites().begins(this, tag, id, writes);
    return guarded(new Event.AwaitAcks(clockNanos, ticket, writes.acks()));
  }

  /** The tags of the writes whose effect is in its state. */
  Set<Long> tags() {
    return cluster.workload().tags(instance(), machine().version());
  }

  /** Whether the effect of a write is in its state. */
  boolean tookEffect(long tag) {
    return machine != null && cluster.workload().tookEffect(instance(), machine.version(), tag);
  }

  private Event written(Input.Writes writes, long clockNanos) {
    if (!hasBegun || machine().isFull() || cluster.closeBehind().waits(this, writes)) {
      return new Event.Tick(clockNanos); // A node that is full refuses it.
    }
    var written = cluster.workload().write(instance(), machine(), clockNanos, cluster.random());
    cluster.history().wrote(written.tag(), incarnation());
    return written.event();
  }

  /** The time by which updates count, at its clock or later, in milliseconds. */
  long nowMillis() {
    return Math.max(clockNanos() / 1_000_000, machine().nowMillis());
  }

  /** Throws if its state is not what applying its entries one by one gives. */
  void compareWithReference() {
    if (machine != null && reference != null && !reference.equalsStateOf(machine, nowMillis())) {
      throw new Violation.Found(
          new Violation(
              Violation.Kind.OUT_OF_ORDER,
              "the state of " + name + " is not what its entries give one by one in their order"));
    }
  }

  private List<Effect> guarded(Event event) {
    ReplicaMachine replica = machine();
    boolean isNew =
        event instanceof Event.Received(var now, var from, Message.Update update)
            && !hasExecuted(update.id());
    long bytesBefore = replica.unsettledBytes();
    List<Effect> effects;
    try {
      effects = replica.step(event);
    } catch (RuntimeException | AssertionError thrown) {
      throw new Violation.Found(Violation.Kind.THREW, name + " threw " + thrown, thrown);
    }
    hasBegun |= replica.isActive();
    rules.checkMemory(event, bytesBefore, replica.unsettledBytes());
    cluster.acrossReplicas().stepped(this);
    if (isNew && event instanceof Event.Received(var now, var from, Message.Update update)) {
      rules.checkStamp(update);
    }
    checkNowAndThen(replica::checkInvariants);
    return effects;
  }

  /** Changes whenever answers may: a state taken from elsewhere executes again as well. */
  private long reruns() {
    return machine().status().rerun() + (machine().taken() << Integer.SIZE);
  }

  /** Entries that this incarnation executed again. */
  long rerun() {
    return machine == null ? 0 : machine.status().rerun();
  }

  /** Entries that came to this incarnation by gossip. */
  long repaired() {
    return machine == null ? 0 : machine.status().repaired();
  }

  /** Whether it is up and has executed an update. */
  boolean hasExecuted(Operation update) {
    return update.ids.stream().anyMatch(this::hasExecuted);
  }

  /** Whether it is up and has executed the update of this name. */
  boolean hasExecuted(RequestId id) {
    return machine != null && machine.hasExecuted(id);
  }

  /** Whether it has executed an update, or may have, and forgotten it. */
  boolean mayHaveExecuted(Operation update) {
    return update.ids.stream().anyMatch(this::mayHaveExecuted);
  }

  /** Whether it has executed the update of this name, or may have, and forgotten it. */
  boolean mayHaveExecuted(RequestId id) {
    return hasExecuted(id) || (machine != null && machine.mayHaveForgotten(id.client()));
  }

  /** The epoch of an entry. */
  long epochOf(Entry entry) {
    return Stamp.millis(entry.stamp()) / settings.timing().epochs().lengthMillis();
  }

  /** Records which updates the machine has executed, while it can still be asked. */
  void noteExecuted() {
    if (machine == null) {
      return;
    }
    ReplicaMachine replica = machine;
    Incarnation me = incarnation();
    cluster.acrossReplicas().keeps(this);
    cluster.history().showed(me, tags());
    for (Operation update : cluster.history().updates()) {
      if (!update.executors.contains(me) && hasExecuted(update)) {
        update.executors.add(me);
      }
    }
    replica.unsettled().forEach(cluster.history()::seen);
  }
}
