package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Replicas that gossip over a network without loss or failures, and how much they send: what
 * replicas say to each other when nothing is wrong, or one update has reached only one of them.
 */
final class GossipGroup {
  static final long NANOS_PER_MILLI = 1_000_000;

  private static final long SERVICE = 1;
  private static final long CLIENT = 2;
  private static final SimAddress CLIENT_ADDRESS = new SimAddress(-1);
  private static final ServiceMethod ADD = method();

  private static final long DELAY_MIN_NANOS = 200_000;
  private static final long DELAY_MAX_NANOS = 800_000;

  private final Agenda agenda = new Agenda();
  private final Randomness random;
  private final List<Replica> replicas = new ArrayList<>();

  /** By replica: when the next tick is on the agenda. */
  private final long[] tickAtNanos;

  private final ByteWriter frame = new ByteWriter(FrameCodec.MAX_FRAME_BYTES);
  private long sequence;
  private long messages;
  private long bytes;

  /** Replicas that know each other, and have nothing yet. */
  GossipGroup(int size, int gossipMillis, long seed) {
    this.random = new Randomness(seed);
    this.tickAtNanos = new long[size];
    Arrays.fill(tickAtNanos, Long.MAX_VALUE);
    SortedMap<Long, Address> view = new TreeMap<>();
    for (int node = 0; node < size; node++) {
      view.put((long) node, new SimAddress(node));
    }
    SortedMap<Long, Address> all = Collections.unmodifiableSortedMap(view);
    for (int node = 0; node < size; node++) {
      replicas.add(replica(node, all, gossipMillis));
      plan(node);
    }
  }

  /** One that began alone: that thousands ask each other for a state is not what is measured. */
  private Replica replica(long node, SortedMap<Long, Address> all, int gossipMillis) {
    SortedMap<Long, Address> alone = new TreeMap<>(all.subMap(node, node + 1));
    Order order = Order.EVENTUAL.withGossipMillis(gossipMillis, gossipMillis);
    Placement placement = Placement.of(SERVICE, node, alone);
    ServiceInstance service = ServiceInstance.of(Tally.class, Tally.Service::new);
    Replica replica = Orders.replica(order, placement, service, random.nextLong(), nowNanos());
    replica.step(new Event.ViewChanged(nowNanos(), alone));
    replica.step(new Event.ViewChanged(nowNanos(), all));
    return replica;
  }

  private static ServiceMethod method() {
    return ServiceInterface.of(Tally.class).methods().stream()
        .filter(ServiceMethod::isUpdate)
        .findFirst()
        .orElseThrow();
  }

  /** What the clocks of all replicas show. */
  long nowNanos() {
    return SimClock.EPOCH_NANOS + agenda.nowNanos();
  }

  void runMillis(long millis) {
    agenda.runUntil(agenda.nowNanos() + millis * NANOS_PER_MILLI);
  }

  /** A client sends its next update, which reaches only so many replicas. */
  void update(int reached) {
    sequence++;
    Message update =
        new Message.Update(
            SERVICE,
            new RequestId(CLIENT, sequence),
            new OrderPart.Stamped(Stamp.atNanos(nowNanos())),
            new Call(ADD.number(), ADD.encode(new Object[] {1L})),
            0,
            1,
            sequence);
    for (int node = 0; node < reached; node++) {
      step(node, new Event.Received(nowNanos(), CLIENT_ADDRESS, update));
    }
  }

  /** How many replicas have executed all updates up to the last. */
  long upToDate() {
    RequestId newest = new RequestId(CLIENT, sequence);
    return replicas.stream().filter(replica -> replica.hasExecuted(newest)).count();
  }

  /** How many messages replicas have sent to each other. */
  long messages() {
    return messages;
  }

  /** How many bytes these were, as frames of their own. */
  long bytes() {
    return bytes;
  }

  private void step(int node, Event event) {
    for (Effect effect : replicas.get(node).step(event)) {
      if (effect instanceof Effect.Send(SimAddress to, Message message) && to.node() >= 0) {
        send(node, to.node(), message);
      }
    }
    plan(node);
  }

  private void send(int from, int to, Message message) {
    frame.reset();
    FrameCodec.begin(frame, SERVICE, from);
    FrameCodec.add(frame, message);
    messages++;
    bytes += frame.size();
    agenda.after(
        random.between(DELAY_MIN_NANOS, DELAY_MAX_NANOS),
        () -> step(to, new Event.Received(nowNanos(), new SimAddress(from), message)));
  }

  /** Sees to the next tick; one that is on the agenda earlier will see to it again. */
  private void plan(int node) {
    long nextNanos = replicas.get(node).nextTickNanos() - SimClock.EPOCH_NANOS;
    if (nextNanos < tickAtNanos[node]) {
      tickAtNanos[node] = nextNanos;
      agenda.at(nextNanos, () -> tick(node, nextNanos));
    }
  }

  private void tick(int node, long plannedNanos) {
    if (tickAtNanos[node] == plannedNanos) {
      tickAtNanos[node] = Long.MAX_VALUE;
      step(node, new Event.Tick(nowNanos()));
    }
  }
}
