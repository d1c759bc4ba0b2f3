package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.ReadsAlone;
import dev.tempest.protocol.order.Stand;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** A map that three replicas share: threads of each write to it what they have executed there. */
final class SharedMapByHand {
  private record Copy(VersionedState state, Map<String, Long> map, ServiceInstance instance) {}

  private final Map<Long, Copy> copies = new LinkedHashMap<>();
  final ReplicasByHand group;

  SharedMapByHand() {
    this(Order.LINEARIZABLE);
  }

  /** The same in another way. */
  SharedMapByHand(Order.ByConsensus order) {
    group =
        new ReplicasByHand(
            new ReplicasByHand.Setup(3, id -> order, 1 << 20, id -> copy(id).instance()));
  }

  private Copy copy(long id) {
    return copies.computeIfAbsent(
        id,
        none -> {
          VersionedState state = new VersionedState();
          Map<String, Long> map = state.map("map", String.class, Long.class);
          return new Copy(state, map, ServiceInstance.ofState(state));
        });
  }

  /** A thread of a replica executes this on what is there. */
  void execute(long id, Consumer<Map<String, Long>> what) {
    Copy copy = copy(id);
    Stand stand = group.replica(id).stand();
    VersionedAction action = copy.state().beginTraced(stand.version(), 0, 0);
    what.accept(copy.map());
    Version after = action.commit();
    ByteWriter writer = new ByteWriter(1 << 20);
    copy.state().writeChange(action.change(), writer);
    Bytes change = writer.toBytes();
    writer.reset();
    action.footprint().write(writer);
    group.act(id, id, stand, writer.toBytes(), change, after);
  }

  /** Whether a thread of a replica knows what this reads without asking others. */
  boolean isCertain(long id, Function<Map<String, Long>, ?> reads) {
    ReadsAlone alone = group.replica(id).readsAlone();
    if (alone == null) {
      return false;
    }
    Copy copy = copy(id);
    VersionedAction action = copy.state().beginTraced(alone.certain().version(), 0, 0);
    Object unused = reads.apply(copy.map());
    action.abort();
    return !alone.certain().except().meets(action.footprint());
  }

  /** What becomes of all that was executed, in the order in which that is known. */
  List<Decision> decided() {
    group.run(500);
    return group.decided();
  }

  /** What all have come to: it is the same. */
  Map<?, ?> contents() {
    Set<Object> all = new LinkedHashSet<>();
    for (long id : group.living()) {
      Object map = copy(id).instance().contents(group.replica(id).version()).get("map");
      all.add(Objects.requireNonNullElse(map, Map.of()));
    }
    if (all.size() > 1) {
      throw new AssertionError("they differ: " + all);
    }
    return (Map<?, ?>) all.iterator().next();
  }
}
