package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.Stand;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.ReplicaRole;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Replicas, three that count where nothing else is said, and clients that say themselves who hears
 * them. A message takes a millisecond, of which a heartbeat is 20 and an election 100.
 */
final class ReplicasByHand {
  static final long CLIENT = 77;
  static final long MILLI = 1_000_000;
  static final long SERVICE = 9;

  /**
   * Which replicas.
   *
   * @param size how many
   * @param order and service of the one with this id
   */
  record Setup(
      int size,
      LongFunction<Order.ByConsensus> order,
      LogSettings.Limits limits,
      LongFunction<ServiceInstance> service) {
    /** With logs that take no more. */
    Setup(
        int size,
        LongFunction<Order.ByConsensus> order,
        long logMaxBytes,
        LongFunction<ServiceInstance> service) {
      this(size, order, LogSettings.Limits.USUAL.withLog(logMaxBytes), service);
    }
  }

  /** Replicas by their ids; clients are at 0. */
  private record Place(long id) implements Address {}

  /** What one has said to another one. */
  record Sent(long from, long to, Message message) {}

  private final Setup setup;
  private final SortedMap<Long, ReplicaByConsensus> replicas = new TreeMap<>();
  private final ViewsByHand views = new ViewsByHand();
  private final Set<Long> dead = new TreeSet<>();
  private final Set<Long> apart = new TreeSet<>();
  private final List<Sent> sent = new ArrayList<>();
  private final List<Message> toClients = new ArrayList<>();
  private final Set<String> told = new TreeSet<>();
  private final List<Decision> decided = new ArrayList<>();
  private final Set<Long> cameOn = new TreeSet<>();
  private final SortedMap<Long, String> hindered = new TreeMap<>();
  private List<Sent> underWay = new ArrayList<>();
  private Predicate<Message> lost = message -> false;
  private long now = 1_000_000;

  private final SortedMap<Long, Boolean> syncs = new TreeMap<>();

  /** A group that has a leader, which executes. */
  ReplicasByHand() {
    this(Order.LINEARIZABLE);
  }

  /** The same with logs that take no more. */
  ReplicasByHand(long logMaxBytes) {
    this(new Setup(3, id -> Order.LINEARIZABLE, logMaxBytes, id -> Numbers.instance()));
  }

  /** The same in another way. */
  ReplicasByHand(Order.ByConsensus order) {
    this(new Setup(3, id -> order, 1 << 20, id -> Numbers.instance()));
  }

  /** The same of others. */
  ReplicasByHand(Setup setup) {
    this.setup = setup;
    SortedMap<Long, Address> view = view(LongStream.rangeClosed(1, setup.size()).boxed().toList());
    view.keySet().forEach(id -> start(id, view));
    run(1_000);
  }

  private static SortedMap<Long, Address> view(List<Long> ids) {
    SortedMap<Long, Address> view = new TreeMap<>();
    ids.forEach(id -> view.put(id, new Place(id)));
    return view;
  }

  private void start(long id, SortedMap<Long, Address> view) {
    Order.ByConsensus order = setup.order().apply(id);
    Group.Leases leases = Group.Leases.of(order.reads());
    Group group =
        new Group(
            id,
            order.quorum(),
            20 * MILLI,
            100 * MILLI,
            order.stores(),
            leases,
            order.isFast(),
            64,
            48 << 10);
    replicas.put(
        id,
        new ReplicaByConsensus(
            new LogSettings(order.copies(setup.size()), order, group, setup.limits()),
            Placement.of(SERVICE, id, view),
            setup.service().apply(id),
            null,
            id,
            now * MILLI));
  }

  /** One dies, and another one, which has no state, is a member in its place. */
  void replace(long gone, long by) {
    kill(gone);
    List<Long> ids = new ArrayList<>(living());
    ids.add(by);
    SortedMap<Long, Address> view = view(ids);
    living().forEach(id -> step(id, new Event.ViewChanged(now * MILLI, view)));
    start(by, view);
  }

  boolean isActive(long id) {
    return replica(id).isActive();
  }

  /** One asks another for what is no piece of any state. */
  void askForNoPiece(long from, long to) {
    LogMessage wish = new LogMessage.StateWish(0, new Wish.OfVersion(Bytes.of((byte) 7)));
    underWay.add(new Sent(from, to, new Message.OfLog(SERVICE, from, wish)));
  }

  /** What hinders replicas from getting a state. */
  SortedMap<Long, String> hindered() {
    return hindered;
  }

  /** Who said that a part came of the state that it lacked. */
  Set<Long> cameOn() {
    return cameOn;
  }

  /** Which of the living leads. */
  long leader() {
    return living().stream().filter(this::leads).findFirst().orElseThrow();
  }

  boolean hasLeader() {
    return living().stream().anyMatch(this::leads);
  }

  private boolean leads(long id) {
    return replica(id).status("").role() == ReplicaRole.LEADER;
  }

  List<Long> living() {
    return replicas.keySet().stream().filter(id -> !dead.contains(id)).toList();
  }

  ReplicaByConsensus replica(long id) {
    return Objects.requireNonNull(replicas.get(id));
  }

  void kill(long id) {
    dead.add(id);
  }

  /** Its process is about to end, and says so. */
  void leave(long id) {
    step(id, new Event.Leaving(now * MILLI));
  }

  /** It was only stopped, and goes on with what it knew. */
  void wake(long id) {
    dead.remove(id);
  }

  /** From now on these and the others do not hear each other. */
  void part(List<Long> some) {
    apart.clear();
    apart.addAll(some);
  }

  /** All hear each other again. */
  void heal() {
    apart.clear();
    lose(message -> false);
  }

  /** A thread there executes an action that only reads; what is decided of it at once. */
  List<Decision> look(long id) {
    ByteWriter writer = new ByteWriter(100);
    Footprint.EVERYTHING.write(writer);
    Stand stand = replica(id).stand();
    act(id, 1, stand, writer.toBytes(), Bytes.EMPTY, stand.version());
    return decided();
  }

  /** A thread there has executed an action. */
  void act(long id, long ticket, Stand stand, Bytes footprint, Bytes change, Version after) {
    step(id, new Event.Acted(now * MILLI, ticket, stand, footprint, change, after));
  }

  /** A replica is so busy. */
  void isBusy(long id, int load) {
    step(id, new Event.Loaded(now * MILLI, load, false));
  }

  /** The memory of a replica is all but full, or no more. */
  void isFull(long id, boolean full) {
    step(id, new Event.Loaded(now * MILLI, 0, full));
  }

  /** What has been decided of actions since the last time that this was asked. */
  List<Decision> decided() {
    List<Decision> since = List.copyOf(decided);
    decided.clear();
    return since;
  }

  /** From now on these messages are lost. */
  void lose(Predicate<Message> of) {
    lost = of;
  }

  /** These replicas hear the client ask for the next number, for the first time or again. */
  void ask(long sequence, int attempt, List<Long> heardBy) {
    ask(sequence, attempt, 0, heardBy);
  }

  /** The same of a client that knows how all before a number have ended. */
  void ask(long sequence, int attempt, long answeredBelow, List<Long> heardBy) {
    Message.Update update =
        new Message.Update(
            SERVICE,
            new RequestId(CLIENT, sequence),
            Stamp.partAt(now * MILLI),
            new Call(Numbers.NEXT.number(), Numbers.NEXT.encode(new Object[0])),
            attempt,
            1,
            answeredBelow);
    heardBy.forEach(id -> hears(id, update));
  }

  /** A replica hears a client. */
  void hears(long id, Message message) {
    step(id, new Event.Received(now * MILLI, new Place(0), message));
  }

  /** A replica has no room for an update. */
  void sheds(long id, Message.Update update) {
    step(id, new Event.Shed(now * MILLI, new Place(0), update, "busy"));
  }

  /** The time part of a request that begins now. */
  OrderPart partNow() {
    return Stamp.partAt(now * MILLI);
  }

  /** The numbers with which an update was answered. */
  List<Long> answers(long sequence) {
    return replies(new RequestId(CLIENT, sequence)).stream()
        .map(reply -> (Answer.Returned) reply.answer())
        .map(answer -> (Long) Numbers.NEXT.decodeResult(answer.result()))
        .toList();
  }

  /** Those of the living that say nothing before it is on their disks. */
  List<Long> syncing() {
    return living().stream().filter(id -> syncs.getOrDefault(id, true)).toList();
  }

  /** What clients were told of a request. */
  List<Reply> replies(RequestId id) {
    return toClients().stream()
        .map(message -> message instanceof SeenReply(Reply reply, Seen seen) ? reply : message)
        .flatMap(message -> message instanceof Reply reply ? Stream.of(reply) : Stream.of())
        .filter(reply -> reply.id().equals(id))
        .toList();
  }

  /** All that clients were told. */
  List<Message> toClients() {
    return toClients;
  }

  /** What was said to other replicas since this was asked for the last time. */
  List<Sent> takeSent() {
    List<Sent> since = List.copyOf(sent);
    sent.clear();
    return since;
  }

  /** What people were told of replicas that deviate. */
  Set<String> told() {
    return told;
  }

  /** How many updates a replica has executed for good. */
  long executed(long id) {
    return replica(id).status("").executed();
  }

  /** So many milliseconds pass. */
  void run(long millis) {
    for (long until = now + millis; now < until; ) {
      now++;
      List<Sent> arriving = underWay;
      underWay = new ArrayList<>();
      arriving.forEach(this::arrive);
      for (long id : living()) {
        if (replica(id).nextTickNanos() <= now * MILLI) {
          step(id, new Event.Tick(now * MILLI));
        }
      }
    }
  }

  private void arrive(Sent sent) {
    if (dead.contains(sent.from) || dead.contains(sent.to) || lost.test(sent.message)) {
      return;
    }
    if (ViewsByHand.isAsked(sent.message)) {
      Message answer = views.answer((Message.Update) sent.message, now);
      underWay.add(new Sent(sent.to, sent.from, answer));
    } else if (sent.to == 0) {
      toClients.add(sent.message);
    } else if (apart.contains(sent.from) == apart.contains(sent.to)) {
      step(sent.to, new Event.Received(now * MILLI, new Place(sent.from), sent.message));
    }
  }

  private void step(long id, Event event) {
    for (Effect effect : replica(id).step(event)) {
      if (effect instanceof Effect.Send(Place to, Message message)) {
        send(new Sent(id, to.id, message));
      } else if (effect instanceof Effect.Make(Place to, var message)) {
        send(new Sent(id, to.id, message.get()));
      } else if (effect instanceof Effect.Persist persist) {
        syncs.put(id, persist.synced());
        persist.after().forEach(each -> send(new Sent(id, ((Place) each.to()).id, each.message())));
      } else if (effect instanceof Effect.OutcomeDiffers differs) {
        told.add(differs.method());
      } else if (effect instanceof Effect.Decided what) {
        decided.add(what.decision());
      } else if (effect instanceof Effect.Hindered(String why)) {
        hindered.put(id, why);
      } else if (effect instanceof Effect.CameOn) {
        cameOn.add(id);
      }
    }
    replica(id).checkInvariants();
  }

  private void send(Sent next) {
    underWay.add(next);
    if (next.to != 0) {
      sent.add(next);
    }
  }
}
