package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.frontend.Reads;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.order.Orders;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A front-end to servers that take time; takes none itself. */
final class TimedFrontEnd implements Lan.Station {
  private static final int ACKS = 1;

  /** As front-ends wait by default. */
  private static final int RETRY_AFTER_MILLIS = 50;

  private static final long DEADLINE_NANOS = 10_000_000_000L;

  private final Agenda agenda;
  private final Lan lan;
  private final SimAddress self;
  private final long client;
  private final Map<Long, SimAddress> servers;
  private final FrontEndMachine machine;
  private final Map<Long, Consumer<Boolean>> open = new LinkedHashMap<>();
  private long tickets;
  private long tickAtNanos = Long.MAX_VALUE;

  /**
   * One that knows its servers.
   *
   * @param client 64 random bits
   * @param servers by the id of their replicas
   */
  TimedFrontEnd(Agenda agenda, Lan lan, long client, Map<Long, SimAddress> servers) {
    this.agenda = agenda;
    this.lan = lan;
    this.client = client;
    this.self = lan.add(this);
    this.servers = servers;
    List<Long> ids = List.copyOf(servers.keySet());
    this.machine = FrontEndMachine.production(new Requests.Settings(client, ids), Orders.routing());
    machine.step(new Requests.Event.Open(nowNanos(), client, ACKS, RETRY_AFTER_MILLIS, 1));
  }

  /**
   * Asks.
   *
   * @param onEnd is told whether it was answered before the deadline
   */
  void submit(long service, boolean update, Call call, Reads reads, Consumer<Boolean> onEnd) {
    long ticket = ++tickets;
    open.put(ticket, onEnd);
    long deadlineNanos = nowNanos() + DEADLINE_NANOS;
    step(
        new Requests.Event.Submit(
            nowNanos(), client, ticket, service, update, call, deadlineNanos, reads, null));
  }

  private long nowNanos() {
    return SimClock.EPOCH_NANOS + agenda.nowNanos();
  }

  @Override
  public void arrived(Address from, Message message) {
    if (message instanceof Message.RequestMessage answer) {
      step(new Requests.Event.Received(nowNanos(), answer));
    }
  }

  private void step(Requests.Event event) {
    for (Requests.Effect effect : machine.step(event)) {
      switch (effect) {
        case Requests.Effect.Multicast(long service, Message message) ->
            servers.values().forEach(to -> lan.send(self, to, message));
        case Requests.Effect.Send(long replica, Message message) -> send(replica, message);
        case Requests.Effect.Complete(long ticket, Requests.Completion how) ->
            ended(ticket, isValue(how));
        case Requests.Effect.Saw saw -> throw new IllegalStateException("nobody asked: " + saw);
      }
    }
    planTick();
  }

  private void send(long replica, Message message) {
    @Nullable SimAddress to = servers.get(replica);
    if (to == null) {
      throw new IllegalStateException("no replica " + replica);
    }
    lan.send(self, to, message);
  }

  private static boolean isValue(Requests.Completion how) {
    return how instanceof Requests.Completion.Answered(Answer answer)
        && answer instanceof Answer.Returned;
  }

  /** Not at once: whoever is told may ask again, and the machine is in the middle of a step. */
  private void ended(long ticket, boolean answered) {
    @Nullable Consumer<Boolean> onEnd = open.remove(ticket);
    if (onEnd != null) {
      agenda.after(0, () -> onEnd.accept(answered));
    }
  }

  private void planTick() {
    long nextNanos = machine.nextTickNanos();
    if (nextNanos < tickAtNanos) {
      tickAtNanos = nextNanos;
      agenda.at(nextNanos - SimClock.EPOCH_NANOS, () -> ticked(nextNanos));
    }
  }

  private void ticked(long plannedNanos) {
    if (tickAtNanos == plannedNanos) {
      tickAtNanos = Long.MAX_VALUE;
      step(new Requests.Event.Tick(nowNanos()));
    }
  }
}
