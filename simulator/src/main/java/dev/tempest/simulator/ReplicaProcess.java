package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.service.ServiceInstance;
import dev.tempest.wire.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server with one replica. */
final class ReplicaProcess extends SimProcess {
  private final ReplicaSettings settings;
  private final ReplicaMachine.Factory factory;
  private @Nullable ServiceInstance instance;
  private @Nullable ReplicaMachine machine;
  private long steps;
  private int transfersTaken;

  ReplicaProcess(
      Cluster cluster,
      int index,
      SimClock clock,
      long stepNanos,
      ReplicaSettings settings,
      ReplicaMachine.Factory factory) {
    super(cluster, index, "r" + (index + 1), clock, stepNanos);
    this.settings = settings;
    this.factory = factory;
  }

  /** The machine while the process is up. */
  ReplicaMachine machine() {
    if (machine == null) {
      throw new IllegalStateException(name + " is down");
    }
    return machine;
  }

  /** The service that it executes. */
  ServiceInstance instance() {
    if (instance == null) {
      throw new IllegalStateException(name + " has not started");
    }
    return instance;
  }

  boolean isActive() {
    return machine != null && machine.isActive();
  }

  @Override
  long senderId() {
    return settings.self();
  }

  @Override
  void create(long clockNanos) {
    ServiceInstance service = cluster.workload().instance(settings.self());
    instance = service;
    machine = factory.create(settings, service, cluster.random().nextLong(), clockNanos);
  }

  @Override
  void crash() {
    if (isUp()) {
      noteExecuted();
      cluster.history().lost(incarnation());
      super.crash();
      machine = null;
    }
  }

  @Override
  long nextTickNanos() {
    return machine().nextTickNanos();
  }

  @Override
  void take(Input input, long clockNanos) {
    Event event =
        switch (input) {
          case Input.Arrived(int from, Message message) ->
              new Event.Received(clockNanos, new SimAddress(from), message);
          case Input.TimerFired() -> new Event.Tick(clockNanos);
          case Input.Submitted submitted ->
              throw new IllegalStateException("nobody submits to a replica: " + submitted);
        };
    if (input instanceof Input.Arrived(int from, Message.StateTransfer transfer)) {
      transfersTaken++;
    }
    Outbox outbox = new Outbox();
    for (Effect effect : guarded(event)) {
      switch (effect) {
        case Effect.Send(SimAddress(int to), Message message) -> {
          observe(message);
          outbox.add(to, message);
        }
        case Effect.Send send ->
            throw new IllegalStateException("an address of another world: " + send.to());
        case Effect.Spread(Message message) -> {
          observe(message);
          for (Address other : settings.view().values()) {
            if (other instanceof SimAddress(int to) && to != index) {
              outbox.add(to, message);
            }
          }
        }
      }
    }
    cluster.traceStep(name, input, outbox);
    outbox.leave();
  }

  private List<Effect> guarded(Event event) {
    ReplicaMachine replica = machine();
    List<Effect> effects;
    try {
      effects = replica.step(event);
    } catch (RuntimeException | AssertionError thrown) {
      throw new Violation.Found(Violation.Kind.THREW, name + " threw " + thrown, thrown);
    }
    if (++steps % cluster.parameters().invariantsEverySteps() == 0) {
      try {
        replica.checkInvariants();
      } catch (AssertionError broken) {
        throw new Violation.Found(
            Violation.Kind.INVARIANT, name + " says: " + broken.getMessage(), broken);
      }
    }
    return effects;
  }

  /** Changes whenever answers may: a state taken from elsewhere executes again as well. */
  private long reruns() {
    return machine().status().rerun() + ((long) transfersTaken << Integer.SIZE);
  }

  private void observe(Message message) {
    switch (message) {
      case Message.Reply reply -> cluster.history().replied(incarnation(), reply, reruns());
      case Message.Repair repair -> repair.entries().forEach(cluster.history()::seen);
      case Message.StateTransfer transfer ->
          transfer.snapshot().unsettled().forEach(cluster.history()::seen);
      default -> {}
    }
  }

  /** Entries that this incarnation executed again. */
  long rerun() {
    return machine == null ? 0 : machine.status().rerun();
  }

  /** Entries that came to this incarnation by gossip. */
  long repaired() {
    return machine == null ? 0 : machine.status().repaired();
  }

  /** Records which updates the machine has executed, while it can still be asked. */
  void noteExecuted() {
    if (machine == null) {
      return;
    }
    ReplicaMachine replica = machine;
    Incarnation me = incarnation();
    for (Operation update : cluster.history().updates()) {
      if (!update.executors.contains(me)
          && update.ids.stream().anyMatch(id -> replica.hasExecuted(id.client(), id.sequence()))) {
        update.executors.add(me);
      }
    }
    replica.unsettled().forEach(cluster.history()::seen);
  }
}
