package dev.tempest.runtime.node;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Orders;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Replica;
import dev.tempest.wire.Message;
import dev.tempest.wire.ReplicaRole;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The linearizable collections of some nodes, all in the thread of the caller: whatever is sent is
 * there at once, and time passes only where nothing else is left to do.
 */
final class AgreedGroup {
  private static final long SERVICE = 42;
  private static final int PATIENCE_STEPS = 10_000;

  private record Place(long id) implements Address {}

  private record Mail(long from, long to, Message message) {}

  private final List<AgreedState> states = new ArrayList<>();
  private final Queue<Mail> mail = new ArrayDeque<>();
  private long nowNanos = 1_000_000_000_000L;
  private boolean pumping;
  private boolean isApart;

  AgreedGroup(int size) {
    this(size, NodeConfig.defaults());
  }

  AgreedGroup(int size, NodeConfig config) {
    SortedMap<Long, Address> view = new TreeMap<>();
    for (long id = 1; id <= size; id++) {
      view.put(id, new Place(id));
      states.add(new AgreedState(() -> nowNanos, config, () -> {}, this::pump));
    }
    // Whoever starts them is not to wait for them; there are many, and a thread costs most of all.
    Thread loop = Thread.startVirtualThread(() -> start(view));
    try {
      loop.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    for (int step = 0; !isReady(); step++) {
      if (step > PATIENCE_STEPS) {
        throw new AssertionError("no group was founded");
      }
      nowNanos =
          states.stream().mapToLong(state -> state.replica().dueNanos()).min().orElse(nowNanos);
      pump();
    }
  }

  private void start(SortedMap<Long, Address> view) {
    for (int i = 0; i < states.size(); i++) {
      Placement placement = new Placement(SERVICE, i + 1, view, view.size(), Placement.Room.USUAL);
      long seed = i;
      replica(i)
          .start(service ->
              Orders.replica(Order.LINEARIZABLE, placement, service, null, seed, nowNanos));
    }
  }

  AgreedState state(int index) {
    return states.get(index);
  }

  /** Lets time pass, and does what is due then. */
  void passSeconds(int seconds) {
    nowNanos += seconds * 1_000_000_000L;
    pump();
  }

  /** From now on nothing that one of them sends comes to another one. */
  void partAll() {
    isApart = true;
  }

  long nowNanos() {
    return nowNanos;
  }

  private AgreedReplica replica(int index) {
    return states.get(index).replica();
  }

  private boolean isReady() {
    return states.stream().allMatch(state -> state.replica().ask(Replica::isActive, false))
        && states.stream().anyMatch(state -> state.replica().ask(AgreedGroup::leads, false));
  }

  private static boolean leads(Replica replica) {
    return replica.status("").role() == ReplicaRole.LEADER;
  }

  /** Does what is due, until nothing is. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    boolean acted = true;
    while (acted) {
      acted = false;
      for (int i = 0; i < states.size(); i++) {
        if (replica(i).dueNanos() <= nowNanos) {
          acted = true;
          perform(i, replica(i).step(new Event.Tick(nowNanos)));
        }
      }
      for (Mail next = mail.poll(); next != null; next = mail.poll()) {
        if (isApart && next.from != next.to) {
          continue;
        }
        acted = true;
        int to = (int) next.to - 1;
        var event = new Event.Received(nowNanos, new Place(next.from), next.message);
        perform(to, replica(to).step(event));
      }
    }
    pumping = false;
    states.forEach(state -> state.replica().rest(Long.MAX_VALUE));
  }

  private void perform(int index, List<Effect> effects) {
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(Place(long to), Message message) ->
            mail.add(new Mail(index + 1, to, message));
        case Effect.Make(Place(long to), var message) ->
            mail.add(new Mail(index + 1, to, message.get()));
        case Effect.Decided decided -> replica(index).decided(decided);
        default -> {}
      }
    }
  }
}
