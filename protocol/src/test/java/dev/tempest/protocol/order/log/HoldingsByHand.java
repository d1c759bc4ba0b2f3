package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Clients of {@link Holdings} at {@linkplain ReplicasByHand replicas by hand}. */
final class HoldingsByHand {
  /** Long enough for an election, and what follows. */
  static final long LONG = 2_000;

  private static final long READS = 1L << 40;

  final ReplicasByHand group;
  private final Map<Long, Holdings.Service> services = new LinkedHashMap<>();
  private final Map<Long, ServiceInstance> instances = new LinkedHashMap<>();
  private final Map<Long, Long> sequences = new LinkedHashMap<>();
  private final Map<RequestId, Message.Update> updates = new LinkedHashMap<>();
  private final Map<RequestId, ServiceMethod> methods = new LinkedHashMap<>();
  private long reads = READS;

  /** Three replicas, whose leader executes. */
  HoldingsByHand() {
    this(3, Order.LINEARIZABLE, 1 << 20);
  }

  /** The same whose reads show this. */
  static HoldingsByHand reading(Reads reads) {
    return new HoldingsByHand(
        3, new Order.ByConsensus(Executes.LEADER, reads, Log.MEMORY), 1 << 20);
  }

  /** The same who all execute. */
  static HoldingsByHand executingAll() {
    return new HoldingsByHand(
        3, new Order.ByConsensus(Executes.ALL, Reads.LINEARIZABLE, Log.MEMORY), 1 << 20);
  }

  /** Three servers, of which two have a copy. */
  static HoldingsByHand withPrimary() {
    return new HoldingsByHand(
        3,
        new Order.ByConsensus(Executes.LEADER, Reads.LINEARIZABLE, Log.MEMORY, Quorum.ALL),
        1 << 20);
  }

  HoldingsByHand(int size, Order.ByConsensus order, long logMaxBytes) {
    group =
        new ReplicasByHand(new ReplicasByHand.Setup(size, id -> order, logMaxBytes, this::service));
  }

  private ServiceInstance service(long replica) {
    ServiceInstance instance =
        ServiceInstance.of(
            Holdings.class,
            state -> {
              Holdings.Service made = new Holdings.Service(state, replica);
              services.put(replica, made);
              return made;
            });
    instances.put(replica, instance);
    return instance;
  }

  long leader() {
    return group.leader();
  }

  /** The living that do not lead. */
  List<Long> followers() {
    long leader = leader();
    return group.living().stream().filter(id -> id != leader).toList();
  }

  /** How many updates ran at a replica. */
  long runs(long id) {
    return Objects.requireNonNull(services.get(id)).runs;
  }

  /** How many updates ran anywhere. */
  long runs() {
    return services.values().stream().mapToLong(each -> each.runs).sum();
  }

  static ServiceMethod method(String name) {
    return ServiceInterface.of(Holdings.class).methods().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** A client's next update reaches some replicas. */
  RequestId send(long client, List<Long> heardBy, String name, Object... arguments) {
    ServiceMethod method = method(name);
    RequestId id = new RequestId(client, sequences.merge(client, 1L, Long::sum));
    Call call = new Call(method.number(), method.encode(arguments));
    methods.put(id, method);
    updates.put(id, new Message.Update(ReplicasByHand.SERVICE, id, group.partNow(), call, 0, 1, 0));
    again(id, 0, heardBy);
    return id;
  }

  /** The very same update reaches some replicas, as that attempt. */
  void again(RequestId id, int attempt, List<Long> heardBy) {
    Message.Update first = Objects.requireNonNull(updates.get(id));
    Message.Update sent =
        new Message.Update(
            first.service(), id, first.part(), first.call(), attempt, first.acks(), 0);
    heardBy.forEach(replica -> group.hears(replica, sent));
  }

  /** All answers to an update so far. */
  List<Object> answers(RequestId id) {
    ServiceMethod method = Objects.requireNonNull(methods.get(id));
    List<Object> decoded = new ArrayList<>();
    for (Reply reply : group.replies(id)) {
      decoded.add(
          reply.answer() instanceof Answer.Returned(var result)
              ? Objects.requireNonNullElse(method.decodeResult(result), "nothing")
              : reply.answer());
    }
    return decoded;
  }

  /** A client's next update, asked of all who live and again if it has to be; its answer. */
  Object update(long client, String name, Object... arguments) {
    RequestId id = send(client, group.living(), name, arguments);
    for (int attempt = 1; attempt < 10 && answers(id).isEmpty(); attempt++) {
      await(() -> !answers(id).isEmpty(), 400);
      again(id, attempt, answers(id).isEmpty() ? group.living() : List.of());
    }
    return answers(id).getFirst();
  }

  /** A replica is asked to read; of a client that has seen that, if it says so. */
  RequestId ask(long replica, String item, @Nullable Seen seen) {
    ServiceMethod method = method("count");
    RequestId id = new RequestId(reads, ++reads);
    methods.put(id, method);
    Call call = new Call(method.number(), method.encode(new Object[] {item}));
    Message.Read read = new Message.Read(ReplicasByHand.SERVICE, id, call);
    group.hears(replica, seen == null ? read : new Message.SeenRead(read, seen));
    return id;
  }

  /** What a replica answers to a read. */
  long read(long replica, String item) {
    RequestId id = ask(replica, item, null);
    await(() -> !answers(id).isEmpty(), LONG);
    return (Long) answers(id).getFirst();
  }

  /** What a client has seen after it has read. */
  Seen seen(RequestId read) {
    await(() -> !answers(read).isEmpty(), LONG);
    return group.toClients().stream()
        .filter(SeenReply.class::isInstance)
        .map(SeenReply.class::cast)
        .filter(each -> each.reply().id().equals(read))
        .findFirst()
        .orElseThrow()
        .seen();
  }

  private void await(BooleanSupplier what, long millis) {
    for (long i = 0; i < millis && !what.getAsBoolean(); i++) {
      group.run(1);
    }
  }

  /** What is committed at a replica, as far as it knows. */
  Map<?, ?> counts(long id) {
    ServiceInstance instance = Objects.requireNonNull(instances.get(id));
    Object counts = instance.contents(group.replica(id).version()).get("counts");
    return counts == null ? Map.of() : (Map<?, ?>) counts;
  }

  /** The same of all who live, once what is on its way has arrived: it is one. */
  Map<?, ?> counts() {
    group.run(500);
    List<? extends Map<?, ?>> all = group.living().stream().map(this::counts).distinct().toList();
    if (all.size() > 1) {
      throw new AssertionError("they differ: " + all);
    }
    return all.getFirst();
  }

  /** Whether a message is one of these. */
  static Predicate<Message> are(Predicate<LogMessage> which) {
    return message -> message instanceof OfLog said && which.test(said.said());
  }

  /** Whether it makes the log of another one longer. */
  static boolean proposes(LogMessage said) {
    return !proposed(said).isEmpty();
  }

  /** By how much it makes the log of another one longer. */
  static List<SlotEntry> proposed(LogMessage said) {
    return switch (said) {
      case LogMessage.Accept accept -> accept.entries();
      case LogMessage.Tell(LogMessage.Accept accept) -> accept.entries();
      default -> List.of();
    };
  }

  /** The same of each such message since this was asked for the last time. */
  List<List<SlotEntry>> takeProposed() {
    return group.takeSent().stream()
        .flatMap(
            sent -> sent.message() instanceof OfLog said ? Stream.of(said.said()) : Stream.of())
        .filter(HoldingsByHand::proposes)
        .map(HoldingsByHand::proposed)
        .toList();
  }

  /** How much the entries of such messages took since this was asked for the last time. */
  long takeProposedBytes() {
    return takeProposed().stream().flatMap(List::stream).mapToLong(SlotEntry::sizeBytes).sum();
  }

  /** How many such messages were sent since this was asked for the last time. */
  long sent(Predicate<LogMessage> which) {
    Predicate<Message> those = are(which);
    return group.takeSent().stream().filter(each -> those.test(each.message())).count();
  }
}
