package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.Reconciliation;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Replicas in one thread that exchange messages at once; tests say who hears of which request. */
final class Cluster {
  static final long SERVICE = 42;
  static final long MILLI = 1_000_000;

  private record Node(long id) implements Address {}

  private record Mail(Node from, Node to, Message message) {}

  private static final Node CLIENT = new Node(-1);

  private final SortedMap<Long, Address> view = new TreeMap<>();
  private final SortedMap<Long, ReplicaByTime> replicas = new TreeMap<>();
  private final TreeSet<Long> silent = new TreeSet<>();
  private final TreeSet<Long> cutOff = new TreeSet<>();
  private final TreeSet<Long> stateless = new TreeSet<>();
  private final TreeSet<Long> gaveUp = new TreeSet<>();
  private final Queue<Mail> mail = new ArrayDeque<>();
  private final List<Reply> replies = new ArrayList<>();
  private final List<Message> toClients = new ArrayList<>();
  private final List<Message> sent = new ArrayList<>();
  private final Map<Long, List<Reconciliation>> reconciled = new TreeMap<>();
  private final Map<Long, String> suspended = new TreeMap<>();
  private final Supplier<ServiceInstance> services;
  private final Reconcile reconcile;
  private final boolean executesAny;
  private final ReplicaSettings.Limits limits;
  private final ServiceInstance service;
  private long seeds = 1;
  long nowNanos = 1_700_000_000_000L * MILLI;

  /** Of ledgers. */
  Cluster(int size) {
    this(size, Reconcile.MERGE, () -> ServiceInstance.of(Ledger.class, LedgerService::new));
  }

  Cluster(int size, Reconcile reconcile, Supplier<ServiceInstance> services) {
    this(size, reconcile, false, ReplicaSettings.Limits.USUAL, services);
  }

  /** Of ledgers that remember so much. */
  static Cluster remembering(int size, ReplicaSettings.Memory memory) {
    ReplicaSettings.Limits usual = ReplicaSettings.Limits.USUAL;
    return within(
        size,
        new ReplicaSettings.Limits(
            usual.stampAheadMaxMillis(),
            usual.unsettledMaxBytes(),
            usual.aheadMax(),
            usual.aheadMaxBytes(),
            usual.repairMax(),
            usual.repairMaxBytes(),
            usual.pieceBytes(),
            usual.waits(),
            memory));
  }

  /** Of ledgers whose repairs carry so many entries. */
  static Cluster repairing(int size, int entries) {
    ReplicaSettings.Limits usual = ReplicaSettings.Limits.USUAL;
    return within(
        size,
        new ReplicaSettings.Limits(
            usual.stampAheadMaxMillis(),
            usual.unsettledMaxBytes(),
            usual.aheadMax(),
            usual.aheadMaxBytes(),
            entries,
            usual.repairMaxBytes(),
            usual.pieceBytes(),
            usual.waits(),
            usual.memory()));
  }

  private static Cluster within(int size, ReplicaSettings.Limits limits) {
    return new Cluster(
        size,
        Reconcile.MERGE,
        false,
        limits,
        () -> ServiceInstance.of(Ledger.class, LedgerService::new));
  }

  /** One replica executes each update, any. */
  static Cluster executingAny(int size, Supplier<ServiceInstance> services) {
    return new Cluster(size, Reconcile.MERGE, true, ReplicaSettings.Limits.USUAL, services);
  }

  private Cluster(
      int size,
      Reconcile reconcile,
      boolean executesAny,
      ReplicaSettings.Limits limits,
      Supplier<ServiceInstance> services) {
    this.limits = limits;
    this.reconcile = reconcile;
    this.executesAny = executesAny;
    this.services = services;
    this.service = services.get();
    for (long id = 1; id <= size; id++) {
      view.put(id, new Node(id));
    }
    view.keySet().forEach(this::start);
    pass(500);
  }

  ReplicaByTime replica(long id) {
    ReplicaByTime replica = replicas.get(id);
    if (replica == null) {
      throw new IllegalArgumentException("no replica " + id);
    }
    return replica;
  }

  /** Starts a replica without memory. */
  void start(long id) {
    start(id, services.get());
  }

  /** Starts one without memory that executes other code. */
  void start(long id, ServiceInstance code) {
    start(id, code, limits, null);
  }

  /** The same, with so much room for what is not settled. */
  void start(long id, ServiceInstance code, long unsettledMaxBytes) {
    start(id, code, ReplicaSettings.Limits.ofUnsettled(unsettledMaxBytes), null);
  }

  /** What a replica has written. */
  record Kept(List<Bytes> pieces, int replicas) {
    RestoredByTime restored(ServiceInstance service) {
      RestoringByTime restoring = new RestoringByTime(SERVICE, Epochs.USUAL, service);
      pieces.forEach(restoring::take);
      return (RestoredByTime) restoring.restored(replicas);
    }
  }

  Kept kept(long id) {
    Checkpoint checkpoint = Objects.requireNonNull(replica(id).checkpoint());
    List<Bytes> pieces = new ArrayList<>();
    checkpoint.pieces().forEachRemaining(pieces::add);
    return new Kept(pieces, checkpoint.replicas());
  }

  /** All processes end at once. */
  void crash() {
    replicas.clear();
    mail.clear();
  }

  /** Starts a replica with what it had. */
  void start(long id, Kept kept) {
    start(id, services.get(), limits, kept);
  }

  private void start(
      long id, ServiceInstance code, ReplicaSettings.Limits limits, @Nullable Kept kept) {
    suspended.remove(id);
    replicas.put(
        id,
        new ReplicaByTime(
            new ReplicaSettings(
                SERVICE,
                id,
                view,
                ReplicaSettings.Timing.USUAL,
                limits,
                new ReplicaSettings.Policy(reconcile, executesAny)),
            code,
            kept == null ? null : kept.restored(code),
            seeds++,
            nowNanos));
  }

  /** Who cannot execute what others have executed, and why. */
  Map<Long, String> suspended() {
    return suspended;
  }

  /** Who is to end because of that. */
  Set<Long> gaveUp() {
    return gaveUp;
  }

  /** No state reaches it. */
  void losesStates(long id) {
    stateless.add(id);
  }

  /** Nothing reaches or leaves it until {@link #heard}. */
  void silence(long id) {
    silent.add(id);
  }

  void heard(long id) {
    silent.remove(id);
    cutOff.remove(id);
  }

  /** Nothing reaches it from other replicas, or leaves it for them, until {@link #heard}. */
  void cutOff(long id) {
    cutOff.add(id);
  }

  Call call(String method, Object... arguments) {
    ServiceMethod found =
        service.description().methods().stream()
            .filter(each -> each.name().equals(method))
            .findFirst()
            .orElseThrow();
    return new Call(found.number(), found.encode(arguments));
  }

  Entry entry(long client, long sequence, long stampMillis, Call call) {
    return new Entry(new RequestId(client, sequence), stampMillis << 16, call);
  }

  /** An update of a client, stamped now. */
  Entry entry(long client, long sequence, Call call) {
    return new Entry(new RequestId(client, sequence), Stamp.atNanos(nowNanos), call);
  }

  /** The latest reply to the latest update. */
  Reply lastReply() {
    return replies.getLast();
  }

  /** All answers to the latest update. */
  List<Answer> answers() {
    return replies.stream().map(Reply::answer).toList();
  }

  /** An update that reaches only the given replicas; whoever gets it answers. */
  List<Answer> update(Entry entry, long... reached) {
    send(entry, reached);
    tick(); // What comes late is answered with all others that do.
    return answers();
  }

  /** An update reaches replicas; what they say to it before time has passed. */
  List<Answer> send(Entry entry, long... reached) {
    replies.clear();
    Message message = updateOf(entry, 0, view.size(), 1);
    for (long id : reached) {
      mail.add(new Mail(CLIENT, new Node(id), message));
    }
    deliver();
    return answers();
  }

  /** The update whose entry this is to become. */
  static Message.Update updateOf(Entry entry, int attempt, int acks, long answeredBelow) {
    return new Message.Update(
        SERVICE,
        entry.id(),
        new OrderPart.Stamped(entry.stamp()),
        (Call) entry.body(),
        attempt,
        acks,
        answeredBelow);
  }

  /** An update that reaches one replica, which has no time for it. */
  List<Answer> shed(Entry entry, long replica) {
    replies.clear();
    Message.Update update = updateOf(entry, 0, view.size(), 1);
    post(replica, replica(replica).step(new Event.Shed(nowNanos, CLIENT, update, "busy")));
    deliver();
    return answers();
  }

  /** A message of a client for one replica; what all replicas have said to clients since then. */
  List<Message> ask(long replica, Message message) {
    toClients.clear();
    mail.add(new Mail(CLIENT, new Node(replica), message));
    deliver();
    return List.copyOf(toClients);
  }

  /** What replicas have said to clients since {@link #ask}. */
  List<Message> toClients() {
    return List.copyOf(toClients);
  }

  /** Tells a replica who is there. */
  void tell(long id, long... present) {
    SortedMap<Long, Address> told = new TreeMap<>();
    for (long each : present) {
      told.put(each, new Node(each));
    }
    post(id, replica(id).step(new Event.ViewChanged(nowNanos, told)));
    deliver();
  }

  /** Time passes, in steps of 10 ms. */
  void pass(long millis) {
    for (long passed = 0; passed < millis; passed += 10) {
      nowNanos += 10 * MILLI;
      tick();
    }
  }

  /** Who has something to do does it. */
  void tick() {
    replicas.forEach((id, replica) -> {
      if (replica.nextTickNanos() <= nowNanos) {
        post(id, replica.step(new Event.Tick(nowNanos)));
      }
    });
    deliver();
  }

  /** What a replica's service was told of. */
  List<Reconciliation> reconciled(long id) {
    return reconciled.getOrDefault(id, List.of());
  }

  /** What the replicas sent each other since the last call. */
  List<Message> sent() {
    List<Message> sentSince = List.copyOf(sent);
    sent.clear();
    return sentSince;
  }

  boolean allTrue(Predicate<ReplicaByTime> condition) {
    return replicas.values().stream().allMatch(condition);
  }

  boolean inStep() {
    return replicas.values().stream().map(ReplicaByTime::version).distinct().count() == 1
        && replicas.values().stream().map(each -> each.status("").hash()).distinct().count() == 1;
  }

  /** The collections by name. */
  Map<String, Object> contents(long id) {
    return service.contents(replica(id).version());
  }

  /** What is in the map of that name. */
  Map<?, ?> map(long id, String name) {
    return contents(id).get(name) instanceof Map<?, ?> map ? map : Map.of();
  }

  int amount(long id, String account) {
    return map(id, "amounts").get(account) instanceof Integer amount ? amount : 0;
  }

  long[] all() {
    return view.keySet().stream().mapToLong(Long::longValue).toArray();
  }

  long[] allBut(long id) {
    return Arrays.stream(all()).filter(each -> each != id).toArray();
  }

  private void deliver() {
    for (Mail next = mail.poll(); next != null; next = mail.poll()) {
      if (next.to().equals(CLIENT)) {
        toClients.add(next.message());
        if (next.message() instanceof Reply reply) {
          replies.add(reply);
        }
      } else if (isHeard(next)) {
        ReplicaByTime to = replica(next.to().id());
        post(next.to().id(), to.step(new Event.Received(nowNanos, next.from(), next.message())));
        to.checkInvariants();
      }
    }
  }

  private boolean isHeard(Mail letter) {
    boolean betweenReplicas = !letter.from().equals(CLIENT);
    boolean isCutOff = cutOff.contains(letter.to().id()) || cutOff.contains(letter.from().id());
    return replicas.containsKey(letter.to().id())
        && !silent.contains(letter.to().id())
        && !silent.contains(letter.from().id())
        && !(betweenReplicas && isCutOff)
        && !(letter.message() instanceof Message.StatePiece
            && stateless.contains(letter.to().id()));
  }

  private void post(long from, List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Reconciled(var what)) {
        reconciled.computeIfAbsent(from, none -> new ArrayList<>()).add(what);
      } else if (effect instanceof Effect.Suspended(String why)) {
        suspended.put(from, why);
      } else if (effect instanceof Effect.Resumed) {
        suspended.remove(from);
      } else if (effect instanceof Effect.GaveUp) {
        gaveUp.add(from);
      } else if (effect instanceof Effect.Send(Node to, Message message)) {
        post(from, to, message);
      } else if (effect instanceof Effect.Make(Node to, var message)) {
        post(from, to, message.get());
      } else if (effect instanceof Effect.Spread(Message message)) {
        view.keySet().stream()
            .filter(id -> id != from)
            .forEach(id -> post(from, new Node(id), message));
      }
    }
  }

  private void post(long from, Node to, Message message) {
    mail.add(new Mail(new Node(from), to, message));
    if (!to.equals(CLIENT)) {
      sent.add(message);
    }
  }
}
