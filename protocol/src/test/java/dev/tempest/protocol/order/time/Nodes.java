package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.time.ReplicaSettings.Limits;
import dev.tempest.protocol.order.time.ReplicaSettings.Memory;
import dev.tempest.protocol.order.time.ReplicaSettings.Policy;
import dev.tempest.protocol.order.time.ReplicaSettings.Timing;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.state.TimedMap;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Processes that write by themselves, in one thread, exchanging messages at once; tests say who is
 * in whose view, and who hears whom.
 */
final class Nodes {
  static final long MILLI = 1_000_000;
  static final long SERVICE = 42;

  /** Which node said that it differs from which other one, and in what. */
  final List<String> diverged = new ArrayList<>();

  /** To which node a part of a state came. */
  final List<Long> cameOn = new ArrayList<>();

  /** Which wait ended, and how many had the write. */
  final List<String> acked = new ArrayList<>();

  record Place(long id) implements Address {
    @Override
    public String toString() {
      return "node " + id;
    }
  }

  private record Mail(long from, long to, Message message) {}

  /** One process. */
  final class Node {
    final long id;
    final VersionedState state = new VersionedState();
    final TimedMap<String, String> map = state.map("map", String.class, String.class);
    final TimedMap<String, Long> sums = state.map("sums", String.class, Long.class);
    final Counter counter = state.counter("counter");
    final ServiceInstance service = ServiceInstance.ofState(state);
    final ReplicaByTime replica;
    private SortedMap<Long, Address> view;

    /** How far its clock is ahead. */
    long aheadMillis;

    Node(long id, int reunionMillis, Limits limits, long aheadMillis) {
      this(id, reunionMillis, limits, aheadMillis, List.of());
    }

    Node(long id, int reunionMillis, Limits limits, long aheadMillis, List<Bytes> kept) {
      this.id = id;
      this.aheadMillis = aheadMillis;
      this.view = view(id);
      ReplicaSettings settings =
          new ReplicaSettings(
              SERVICE,
              id,
              view,
              new Timing(100, 100, Epochs.USUAL, reunionMillis),
              limits,
              Policy.USUAL);
      RestoringByTime restoring = new RestoringByTime(SERVICE, Epochs.USUAL, service);
      kept.forEach(restoring::take);
      RestoredByTime restored = kept.isEmpty() ? null : (RestoredByTime) restoring.restored(1);
      replica = new ReplicaByTime(settings, service, restored, seeds++, clockNanos());
    }

    /** The pieces of its checkpoint. */
    List<Bytes> checkpoint() {
      List<Bytes> pieces = new ArrayList<>();
      Objects.requireNonNull(replica.checkpoint()).pieces().forEachRemaining(pieces::add);
      return pieces;
    }

    long clockNanos() {
      return nowNanos + aheadMillis * MILLI;
    }

    /** By how much the time by which updates count is behind its clock. */
    long behindMillis() {
      post(id, replica.step(new Event.Tick(clockNanos())));
      return clockNanos() / MILLI - replica.nowMillis();
    }

    /** Executes, as one action. */
    Version write(Consumer<Node> action) {
      return write(replica.version(), action);
    }

    /** The same on a version that was seen before. */
    Version write(Version before, Consumer<Node> action) {
      Event.Written written = written(before, action);
      post(id, replica.step(written));
      return written.after();
    }

    private Event.Written written(Version before, Consumer<Node> body) {
      VersionedAction action = state.begin(before, replica.nowMillis(), 0);
      body.accept(this);
      Version after = action.commit();
      ByteWriter writer = new ByteWriter(2 << 20);
      state.writeChange(action.change(), writer);
      return new Event.Written(clockNanos(), writer.toBytes(), before, after);
    }

    void put(String key, String value) {
      write(node -> node.map.put(key, value));
    }

    void add(long delta) {
      write(node -> node.counter.add(delta));
    }

    Object get(String key) {
      return service.contents(replica.version()).get("map") instanceof Map<?, ?> contents
          ? String.valueOf(contents.get(key))
          : "no map";
    }

    void sum(String key, long operand) {
      write(node -> node.sums.merge(key, operand, Merge.sum()));
    }

    Object sum(String key) {
      return service.contents(replica.version()).get("sums") instanceof Map<?, ?> contents
          ? String.valueOf(contents.get(key))
          : "no map";
    }

    Object count() {
      return String.valueOf(service.contents(replica.version()).get("counter"));
    }

    void awaitAcks(long ticket, int acks) {
      post(id, replica.step(new Event.AwaitAcks(clockNanos(), ticket, acks)));
    }

    void endWait(long ticket) {
      post(id, replica.step(new Event.EndWait(clockNanos(), ticket)));
    }

    /** A message arrives that was late. */
    void hears(long from, Message message) {
      post(id, replica.step(new Event.Received(clockNanos(), new Place(from), message)));
    }

    void told(long... members) {
      view = view(members);
      post(id, replica.step(new Event.ViewChanged(clockNanos(), view)));
    }
  }

  private final SortedMap<Long, Node> nodes = new TreeMap<>();
  private final Queue<Mail> mail = new ArrayDeque<>();
  private final List<Message> sent = new ArrayList<>();
  private final Set<Long> sleeping = new TreeSet<>();
  private final Map<Long, Integer> sides = new LinkedHashMap<>();
  private final List<Set<Long>> cuts = new ArrayList<>();
  private long seeds = 1;

  /** What gets lost on its way. */
  Predicate<Message> loses = message -> false;

  long nowNanos = 1_700_000_000_000L * MILLI;

  Node start(long id) {
    return start(id, 60_000, 1 << 30);
  }

  Node start(long id, int reunionMillis, long unsettledMaxBytes) {
    return started(new Node(id, reunionMillis, Limits.ofUnsettled(unsettledMaxBytes), 0));
  }

  /** So many, from 1 on, which hear each other. */
  List<Node> startTogether(int replicas) {
    long[] ids = LongStream.rangeClosed(1, replicas).toArray();
    List<Node> started = Arrays.stream(ids).mapToObj(this::start).toList();
    together(ids);
    return started;
  }

  /** One that remembers clients for so long. */
  Node start(long id, Memory clients) {
    return start(id, clients, List.of());
  }

  /** The same, which comes back with a checkpoint. */
  Node start(long id, Memory clients, List<Bytes> checkpoint) {
    Limits usual = Limits.USUAL;
    Limits limits =
        new Limits(
            usual.stampAheadMaxMillis(),
            usual.unsettledMaxBytes(),
            usual.aheadMax(),
            usual.aheadMaxBytes(),
            usual.repairMax(),
            usual.repairMaxBytes(),
            usual.pieceBytes(),
            usual.waits(),
            clients);
    return started(new Node(id, 60_000, limits, 0, checkpoint));
  }

  /** One whose clock is ahead, or behind. */
  Node startAhead(long id, long millis) {
    return started(new Node(id, 60_000, Limits.ofUnsettled(1 << 30), millis));
  }

  private Node started(Node node) {
    nodes.put(node.id, node);
    return node;
  }

  /** It does nothing, and hears nothing. */
  void sleep(long id) {
    sleeping.add(id);
  }

  void wake(long id) {
    sleeping.remove(id);
  }

  void crash(long id) {
    nodes.remove(id);
  }

  /** These hear each other, and are in each other's view; they do not hear the others. */
  void together(long... members) {
    int side = sides.size() + 1;
    for (long member : members) {
      sides.put(member, side);
    }
    for (long member : members) {
      node(member).told(members);
    }
    deliver();
  }

  /** These do not hear the others any more, and nobody is told. */
  void cutOff(long... members) {
    int side = sides.size() + 1_000;
    for (long member : members) {
      sides.put(member, side);
    }
  }

  /** These two do not hear each other any more; the others hear both. */
  void cutBetween(long one, long other) {
    cuts.add(Set.of(one, other));
  }

  /** All hear each other again. */
  void mend() {
    sides.clear();
    cuts.clear();
  }

  /** Time passes, in steps of 10 ms. */
  void pass(long millis) {
    for (long passed = 0; passed < millis; passed += 10) {
      nowNanos += 10 * MILLI;
      for (Node node : nodes.values()) {
        if (!sleeping.contains(node.id) && node.replica.nextTickNanos() <= node.clockNanos()) {
          post(node.id, node.replica.step(new Event.Tick(node.clockNanos())));
        }
      }
      deliver();
    }
  }

  List<Message> sent() {
    List<Message> since = List.copyOf(sent);
    sent.clear();
    return since;
  }

  boolean inStep() {
    return nodes.values().stream().map(node -> node.replica.version()).distinct().count() == 1
        && nodes.values().stream().map(node -> node.replica.status("").hash()).distinct().count()
            == 1;
  }

  boolean all(Predicate<ReplicaByTime> condition) {
    return nodes.values().stream().map(node -> node.replica).allMatch(condition);
  }

  Node node(long id) {
    Node node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("no node " + id);
    }
    return node;
  }

  private static SortedMap<Long, Address> view(long... members) {
    SortedMap<Long, Address> view = new TreeMap<>();
    for (long member : members) {
      view.put(member, new Place(member));
    }
    return view;
  }

  private void deliver() {
    for (Mail next = mail.poll(); next != null; next = mail.poll()) {
      Node to = nodes.get(next.to());
      boolean heard =
          sides.getOrDefault(next.from(), 0).equals(sides.getOrDefault(next.to(), 0))
              && !cuts.contains(Set.of(next.from(), next.to()));
      if (to != null && heard && !sleeping.contains(to.id)) {
        Event event = new Event.Received(to.clockNanos(), new Place(next.from()), next.message());
        post(to.id, to.replica.step(event));
        to.replica.checkInvariants();
      }
    }
  }

  private void post(long from, List<Effect> effects) {
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(Address to, Message message) -> post(from, to, message);
        case Effect.Spread(Message message) ->
            node(from).view.values().stream()
                .filter(to -> !to.equals(new Place(from)))
                .forEach(to -> post(from, to, message));
        case Effect.Make(Address to, var message) -> post(from, to, message.get());
        case Effect.Reconciled reconciled -> {}
        case Effect.Hindered hindered -> {}
        case Effect.CameOn part -> cameOn.add(from);
        case Effect.Suspended suspended -> {}
        case Effect.Resumed resumed -> {}
        case Effect.GaveUp gaveUp -> {}
        case Effect.ClockSet set -> {}
        case Effect.FarAhead ahead -> {}
        case Effect.Acked(long ticket, int acks) -> acked.add(ticket + ": " + acks);
        case Effect.Diverged(List<String> collections, Address other) ->
            diverged.add("node " + from + " from " + other + ": " + collections);
        case Effect.OutcomeDiffers differs ->
            throw new IllegalStateException("of another order: " + differs);
        case Effect.Decided decided ->
            throw new IllegalStateException("of another order: " + decided);
        case Effect.Persist persist ->
            throw new IllegalStateException("of another order: " + persist);
      }
    }
  }

  private void post(long from, Address to, Message message) {
    if (to instanceof Place(long id)) {
      sent.add(message);
      if (!loses.test(message)) {
        mail.add(new Mail(from, id, message));
      }
    }
  }
}
