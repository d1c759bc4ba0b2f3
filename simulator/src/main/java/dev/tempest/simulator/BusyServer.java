package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Replica;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A server whose services take time: one thread, and what arrives meanwhile waits.
 *
 * <p>As on a real server, methods compute and do not give the thread away: waiting for a disk holds
 * it as computing does. Updates and what replicas tell each other come first, in the order in which
 * they arrived, then reads, the newest first. Answers leave when the execution has ended. An update
 * that is executed again takes its time again.
 */
final class BusyServer implements Lan.Station {
  /** What a message takes that executes nothing. */
  private static final long STEP_NANOS = 10_000;

  private static final int READS_MAX = 1_024;

  private record Waiting(Address from, Message message) {}

  private final Agenda agenda;
  private final Lan lan;
  private final SimAddress self;
  private final Map<Long, Replica> replicas = new LinkedHashMap<>();
  private final ArrayDeque<Waiting> inOrder = new ArrayDeque<>();
  private final ArrayDeque<Waiting> reads = new ArrayDeque<>();
  private List<SimAddress> others = List.of();
  private boolean busy;
  private int toldLoad;
  private long executingNanos;
  private long busyNanos;
  private long executions;
  private long tickAtNanos = Long.MAX_VALUE;

  BusyServer(Agenda agenda, Lan lan) {
    this.agenda = agenda;
    this.lan = lan;
    this.self = lan.add(this);
  }

  SimAddress address() {
    return self;
  }

  /** Time in which it has been executing. */
  long busyNanos() {
    return busyNanos;
  }

  /** How often methods were executed. */
  long executions() {
    return executions;
  }

  /**
   * Starts its replicas.
   *
   * @param group all servers, this one included; a replica's id is the server's place
   * @param services the kind of each service, by the service's hash
   */
  void start(
      List<BusyServer> group,
      Map<Long, ServiceKind> services,
      long meanServiceNanos,
      Randomness random) {
    SortedMap<Long, Address> all = new TreeMap<>();
    for (int id = 0; id < group.size(); id++) {
      all.put((long) id, group.get(id).self);
    }
    others = group.stream().map(BusyServer::address).filter(each -> !each.equals(self)).toList();
    long id = group.indexOf(this);
    SortedMap<Long, Address> alone = new TreeMap<>(all.subMap(id, id + 1));
    services.forEach((service, kind) -> {
      ServiceTimes times = new ServiceTimes(kind, meanServiceNanos, random.nextLong());
      ServiceInstance instance =
          ServiceInstance.of(Timed.class, state -> new Timed.Service(state, () -> spend(times)));
      Placement placement = Placement.of(service, id, alone);
      Replica replica =
          Orders.replica(Order.EVENTUAL, placement, instance, random.nextLong(), nowNanos());
      replicas.put(service, replica);
      // One that began alone has state; with the others it settles from the beginning.
      replica.step(new Event.ViewChanged(nowNanos(), alone));
      replica.step(new Event.ViewChanged(nowNanos(), all));
    });
    planTick();
  }

  private void spend(ServiceTimes times) {
    executions++;
    executingNanos += times.next().nanos();
  }

  private long nowNanos() {
    return SimClock.EPOCH_NANOS + agenda.nowNanos();
  }

  @Override
  public void arrived(Address from, Message message) {
    boolean read = message instanceof Message.Read || message instanceof Message.SeenRead;
    (read ? reads : inOrder).addLast(new Waiting(from, message));
    if (reads.size() > READS_MAX) {
      reads.removeFirst();
    }
    takeNext();
  }

  private void takeNext() {
    if (busy) {
      return;
    }
    List<Effect> effects = new ArrayList<>();
    tellLoad(effects);
    Waiting next = inOrder.isEmpty() ? reads.pollLast() : inOrder.pollFirst();
    boolean due = tick(effects);
    if (next != null) {
      step(next, effects);
    } else if (!due) {
      return;
    }
    busy = true;
    long takenNanos = STEP_NANOS + executingNanos;
    busyNanos += takenNanos;
    executingNanos = 0;
    agenda.after(takenNanos, () -> done(effects));
  }

  private void done(List<Effect> effects) {
    busy = false;
    effects.forEach(this::perform);
    planTick();
    takeNext();
  }

  private void tellLoad(List<Effect> effects) {
    int load = Math.max(0, inOrder.size() + reads.size() - 1);
    if (load != toldLoad) {
      toldLoad = load;
      replicas
          .values()
          .forEach(
              replica -> effects.addAll(replica.step(new Event.Loaded(nowNanos(), load, false))));
    }
  }

  private void step(Waiting next, List<Effect> effects) {
    long service =
        switch (next.message) {
          case Message.RequestMessage request -> request.service();
          case Message.ReplicaMessage other -> other.service();
          default -> throw new IllegalStateException("not for a replica: " + next.message);
        };
    @Nullable Replica replica = replicas.get(service);
    if (replica == null) {
      throw new IllegalStateException("no such service: " + next.message);
    }
    effects.addAll(replica.step(new Event.Received(nowNanos(), next.from, next.message)));
  }

  private boolean tick(List<Effect> effects) {
    boolean due = false;
    for (Replica replica : replicas.values()) {
      if (replica.nextTickNanos() <= nowNanos()) {
        due = true;
        effects.addAll(replica.step(new Event.Tick(nowNanos())));
      }
    }
    return due;
  }

  /** Sees to the next tick; one that is on the agenda earlier will see to it again. */
  private void planTick() {
    long nextNanos = Long.MAX_VALUE;
    for (Replica replica : replicas.values()) {
      nextNanos = Math.min(nextNanos, replica.nextTickNanos());
    }
    if (nextNanos < tickAtNanos) {
      long plannedNanos = nextNanos;
      tickAtNanos = plannedNanos;
      agenda.at(plannedNanos - SimClock.EPOCH_NANOS, () -> ticked(plannedNanos));
    }
  }

  private void ticked(long plannedNanos) {
    if (tickAtNanos == plannedNanos) {
      tickAtNanos = Long.MAX_VALUE;
      takeNext();
      if (!busy) {
        planTick();
      }
    }
  }

  private void perform(Effect effect) {
    switch (effect) {
      case Effect.Send(SimAddress to, Message message) -> lan.send(self, to, message);
      case Effect.Spread(Message message) -> others.forEach(to -> lan.send(self, to, message));
      case Effect.Make(SimAddress to, var message) -> lan.send(self, to, message.get());
      case Effect.Reconciled reconciled -> {} // Nobody listens.
      case Effect.Hindered hindered -> {}
      case Effect.CameOn cameOn -> {}
      case Effect.Suspended suspended -> {}
      case Effect.Resumed resumed -> {}
      case Effect.GaveUp gaveUp -> {}
      case Effect.ClockSet set -> {} // The clocks are right.
      case Effect.FarAhead ahead -> {}
      case Effect.Acked acked -> {} // Nor waits.
      case Effect.Send send -> throw new IllegalStateException("of another world: " + send.to());
      case Effect.Make make -> throw new IllegalStateException("of another world: " + make.to());
      case Effect.OutcomeDiffers differs -> throw new IllegalStateException("of another order");
      case Effect.Decided decided -> throw new IllegalStateException("of another order");
      case Effect.Persist persist -> throw new IllegalStateException("of another order");
      case Effect.Diverged diverged ->
          throw new IllegalStateException("not deterministic: " + diverged.collections());
    }
  }
}
