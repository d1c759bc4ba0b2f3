package dev.tempest.bench;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a replica itself takes for a request of the cart, apart from network and waiting: finding
 * its place in the order, executing it on a version of the state, remembering it under its name.
 * The paper calls that data access: to copy, tag and index, and to wait for locks, of which there
 * are none here.
 *
 * <p>Three replicas run in one thread and gossip; their clocks go by the requests.
 */
final class DataAccess {
  private static final int REPLICAS = 3;
  private static final int OBJECTS = 1_024;
  private static final int REQUEST_BYTES = 1_024;
  private static final long SERVICE = 1;

  /** As many requests a second as this machine serves, about. */
  private static final long BETWEEN_NANOS = 25_000;

  private static final long START_NANOS = 1_700_000_000_000_000_000L;

  /** A clock read costs as much as a read of the state: many requests are timed as one. */
  private static final int TIMED_AT_ONCE = 64;

  private record Node(long id) implements Address {}

  private record Mail(long from, long to, Message message) {}

  private final List<Replica> replicas = new ArrayList<>();
  private final ArrayDeque<Mail> mail = new ArrayDeque<>();
  private final ServiceMethod add = PaddedCart.method("add");
  private final ServiceMethod check = PaddedCart.method("check");
  private final Zipf popularity = new Zipf(OBJECTS);
  private final SplittableRandom random = new SplittableRandom(1);
  private final byte[] padding = new byte[REQUEST_BYTES];
  private final long[] sequences;
  private final int batches;
  private long nowNanos = START_NANOS;
  private long lastStamp;

  private DataAccess(int clients, int batches) {
    this.sequences = new long[clients];
    this.batches = batches;
    SortedMap<Long, Address> view = new TreeMap<>();
    for (long id = 0; id < REPLICAS; id++) {
      view.put(id, new Node(id));
    }
    for (long id = 0; id < REPLICAS; id++) {
      replicas.add(
          Orders.replica(
              Order.EVENTUAL,
              Placement.of(SERVICE, id, Collections.unmodifiableSortedMap(view)),
              ServiceInstance.of(PaddedCart.class, PaddedCart.Service::new),
              id,
              nowNanos));
    }
  }

  /** Measures so many batches of requests of each kind, after as many others. */
  static Point measure(int clients, int batches) {
    DataAccess access = new DataAccess(clients, batches);
    for (int millis = 0; millis < 5_000; millis++) {
      access.nowNanos += 1_000_000; // Until all have found that nobody has a state.
      access.gossip();
    }
    var _ = access.medianMicros(access::update) + access.medianMicros(access::read);
    double updateMicros = access.medianMicros(access::update);
    double readMicros = access.medianMicros(access::read);
    return Point.of(
        "clients", clients,
        "updateMicros", updateMicros,
        "readMicros", readMicros,
        "accessMicros", (updateMicros + readMicros) / 2);
  }

  private Message update() {
    int client = random.nextInt(sequences.length);
    long sequence = ++sequences[client];
    lastStamp = Math.max(lastStamp + 1, Stamp.atNanos(nowNanos));
    RequestId id = new RequestId(client, sequence);
    return new Message.Update(
        SERVICE, id, new OrderPart.Stamped(lastStamp), call(add), 0, 1, sequence);
  }

  private Message read() {
    return new Message.Read(
        SERVICE, new RequestId(random.nextInt(sequences.length), 1), call(check));
  }

  private Call call(ServiceMethod method) {
    String item = CartClient.item(popularity.next(random));
    Object[] arguments =
        method == add
            ? new Object[] {CartClient.CUSTOMER, item, 1, padding}
            : new Object[] {CartClient.CUSTOMER, item, padding};
    return new Call(method.number(), method.encode(arguments));
  }

  /** By batches: what else runs on the machine disturbs some of them. */
  private double medianMicros(Supplier<Message> next) {
    double[] micros = new double[batches];
    for (int batch = 0; batch < batches; batch++) {
      List<Message> messages = new ArrayList<>();
      for (int i = 0; i < TIMED_AT_ONCE; i++) {
        messages.add(next.get());
      }
      nowNanos += TIMED_AT_ONCE * BETWEEN_NANOS;
      for (long id = 0; id < REPLICAS; id++) {
        long startNanos = System.nanoTime();
        for (Message message : messages) {
          step(id, new Event.Received(nowNanos, new Node(-1), message));
        }
        if (id == 0) {
          micros[batch] = (System.nanoTime() - startNanos) / 1e3 / TIMED_AT_ONCE;
        }
      }
      gossip();
    }
    Arrays.sort(micros);
    return micros[batches / 2];
  }

  private void gossip() {
    for (long id = 0; id < REPLICAS; id++) {
      if (replicas.get((int) id).nextTickNanos() <= nowNanos) {
        step(id, new Event.Tick(nowNanos));
      }
    }
    for (Mail next = mail.poll(); next != null; next = mail.poll()) {
      step(next.to(), new Event.Received(nowNanos, new Node(next.from()), next.message()));
    }
  }

  private void step(long id, Event event) {
    for (Effect effect : replicas.get((int) id).step(event)) {
      if (effect instanceof Effect.Send(Node(long to), Message message) && to >= 0) {
        mail.add(new Mail(id, to, message));
      }
    }
  }
}
