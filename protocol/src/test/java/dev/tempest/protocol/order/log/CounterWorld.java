package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Servers of a number, and clients that count, in one thread and by one seed. Messages go through
 * their bytes; they are lost, doubled and late; servers are cut off, stop, and are killed without
 * their memory. What clients were told is a {@link Counted} history.
 */
final class CounterWorld {
  private static final long MILLI = 1_000_000;
  private static final long SERVICE = 7;
  private static final long FAULTS_UNTIL = 5_000 * MILLI;
  private static final long ENDS = 12_000 * MILLI;
  private static final int CLIENTS = 3;
  private static final Map<String, ServiceMethod> METHODS = new TreeMap<>();

  static {
    ServiceInterface.of(Tally.class)
        .methods()
        .forEach(method -> METHODS.put(method.name(), method));
  }

  /** Where a server is, or a client. */
  record Place(int number) implements Address {}

  private record Due(long nanos, long number, Runnable what) implements Comparable<Due> {
    @Override
    public int compareTo(Due that) {
      return nanos != that.nanos
          ? Long.compare(nanos, that.nanos)
          : Long.compare(number, that.number);
    }
  }

  /** One place for a server, and what runs there. */
  private final class Server {
    final int place;
    long id;
    ReplicaByConsensus replica;
    long stoppedUntil;
    boolean runs;

    Server(int place) {
      this.place = place;
      start();
    }

    void start() {
      id = random.nextLong() | 1;
      runs = true;
      SortedMap<Long, Address> view = view();
      view.put(id, new Place(place));
      Group group = new Group(id, 20 * MILLI, 60 * MILLI, batch, 1_000);
      replica =
          machines.make(
              new ReplicaByConsensus.Settings(size, group, logMaxBytes),
              Placement.of(SERVICE, id, view),
              random.nextLong(),
              nowNanos);
      told = view;
      ticksAtNanos = 0;
      tickLater();
    }

    SortedMap<Long, Address> told;

    private long ticksAtNanos;

    /** Whatever has happened may have brought it forward. */
    void tickLater() {
      long dueNanos = Math.max(replica.nextTickNanos(), Math.max(stoppedUntil, nowNanos + 1));
      if (ticksAtNanos > nowNanos && ticksAtNanos <= dueNanos) {
        return;
      }
      ticksAtNanos = dueNanos;
      long of = id;
      at(
          dueNanos,
          () -> {
            if (runs && id == of && ticksAtNanos == dueNanos) {
              ticksAtNanos = 0;
              step(new Event.Tick(nowNanos));
            }
          });
    }

    void step(Event event) {
      for (Effect effect : replica.step(event)) {
        switch (effect) {
          case Effect.Send(Address to, Message message) -> send(place, (Place) to, message);
          case Effect.Make(Address to, var message) -> send(place, (Place) to, message.get());
          case Effect.Hindered hindered -> {}
          default -> throw new AssertionError("unexpected: " + effect);
        }
      }
      replica.checkInvariants();
      tickLater();
    }

    void received(int from, Message message) {
      if (!runs) {
        return;
      }
      if (stoppedUntil > nowNanos) {
        long of = id;
        at(
            stoppedUntil,
            () -> {
              if (id == of) {
                received(from, message);
              }
            });
      } else {
        step(new Event.Received(nowNanos, new Place(from), message));
      }
    }
  }

  /** Asks for one thing after the other; sends it again until it is answered, or given up. */
  private final class Client {
    final int place;
    final long id = random.nextLong();
    long updates;
    long reads;
    int attempt;
    Counted.Operation open = new Counted.Operation(false, 0);
    long name;

    Client(int place) {
      this.place = place;
    }

    void ask() {
      boolean isUpdate = random.nextInt(100) < 60;
      open = new Counted.Operation(isUpdate, nowNanos);
      history.add(open);
      name = isUpdate ? ++updates : ++reads;
      attempt = 0;
      send(open);
    }

    private void send(Counted.Operation operation) {
      if (operation != open || !open.isOpen()) {
        return;
      }
      if (nowNanos - open.fromNanos > 3_000 * MILLI) {
        open.givenUp = true;
        askLater();
        return;
      }
      Message message = open.isUpdate ? update() : read();
      int only = open.isUpdate ? -1 : random.nextInt(size);
      for (Server server : servers) {
        if (only < 0 || only == server.place) {
          CounterWorld.this.send(place, new Place(server.place), message);
        }
      }
      attempt++;
      at(nowNanos + 60 * MILLI, () -> send(operation));
    }

    private Message update() {
      return new Message.Update(
          SERVICE, new RequestId(id, name), Stamp.partAt(nowNanos), call("next"), attempt, 1, name);
    }

    private Message read() {
      return new Message.Read(SERVICE, new RequestId(id, name), call("latest"));
    }

    void received(Message message) {
      if (message instanceof Message.Reply reply
          && reply.update() == open.isUpdate
          && reply.id().equals(new RequestId(id, name))
          && reply.answer() instanceof Answer.Returned(var value)) {
        ServiceMethod method = method(open.isUpdate ? "next" : "latest");
        open.answered((long) Objects.requireNonNull(method.decodeResult(value)), nowNanos);
        askLater();
      }
    }

    void askLater() {
      if (nowNanos - began < ENDS - 4_000 * MILLI) {
        at(nowNanos + random.nextLong(20 * MILLI), this::ask);
      }
    }
  }

  /** What a server runs: the machine of production, or one that is broken on purpose. */
  interface Machines {
    ReplicaByConsensus make(
        ReplicaByConsensus.Settings settings, Placement placement, long seed, long nowNanos);
  }

  final SplittableRandom random;
  private final Machines machines;
  private final PriorityQueue<Due> agenda = new PriorityQueue<>();
  private final List<Server> servers = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final Counted history = new Counted();
  private final Map<Integer, Long> cutUntil = new LinkedHashMap<>();
  private final int size;
  private final int batch;
  private final int lossPercent;
  private final int slowestMicros;
  private final long logMaxBytes;
  private long nowNanos = 1_700_000_000_000L * MILLI;
  private final long began = nowNanos;
  private long numbers;

  CounterWorld(long seed, Machines machines) {
    this.random = new SplittableRandom(seed);
    this.machines = machines;
    this.size = random.nextInt(4) == 0 ? 5 : 3;
    this.batch = 1 + random.nextInt(20);
    this.lossPercent = random.nextInt(25);
    this.slowestMicros = 200 + random.nextInt(20_000);
    this.logMaxBytes = random.nextBoolean() ? 2_000 + random.nextInt(4_000) : 1 << 20;
    for (int place = 0; place < size; place++) {
      servers.add(new Server(place));
    }
    for (int client = 0; client < CLIENTS; client++) {
      Client one = new Client(size + client);
      clients.add(one);
      at(began + random.nextLong(300 * MILLI), one::ask);
    }
  }

  static ReplicaByConsensus production(
      ReplicaByConsensus.Settings settings, Placement placement, long seed, long nowNanos) {
    return new ReplicaByConsensus(
        settings, placement, ServiceInstance.of(Tally.class, TallyService::new), seed, nowNanos);
  }

  /** Runs to its end; what clients were told. */
  Counted run() {
    tellLater();
    faultLater();
    while (nowNanos - began < ENDS) {
      Due due = agenda.remove();
      nowNanos = due.nanos;
      due.what.run();
    }
    assertThat(history.answered(nowNanos - 5_000 * MILLI))
        .describedAs(
            "requests are answered once everything works: %s",
            servers.stream().map(each -> "\n" + each.id + " " + each.replica).toList())
        .isGreaterThan(10);
    return history;
  }

  /** How many states were taken in place of a log. */
  long counted() {
    return history.operations().size();
  }

  private boolean isHealed() {
    return nowNanos - began >= FAULTS_UNTIL;
  }

  private void at(long nanos, Runnable what) {
    agenda.add(new Due(Math.max(nanos, nowNanos), numbers++, what));
  }

  private SortedMap<Long, Address> view() {
    SortedMap<Long, Address> view = new TreeMap<>();
    servers.stream()
        .filter(server -> server.runs)
        .forEach(server -> view.put(server.id, new Place(server.place)));
    return view;
  }

  /**
   * Who is there is known a while later, and of who is cut off for long it is thought that he is
   * not.
   */
  private void tellLater() {
    at(
        nowNanos + 50 * MILLI + random.nextLong(200 * MILLI),
        () -> {
          for (Server server : servers) {
            SortedMap<Long, Address> view = view();
            servers.stream()
                .filter(other -> other != server && isCut(server.place, other.place))
                .forEach(other -> view.remove(other.id));
            if (server.runs && !view.equals(server.told) && random.nextBoolean()) {
              server.told = view;
              server.step(new Event.ViewChanged(nowNanos, view));
            }
          }
          tellLater();
        });
  }

  private void faultLater() {
    at(
        nowNanos + 100 * MILLI + random.nextLong(600 * MILLI),
        () -> {
          if (!isHealed()) {
            fault();
            faultLater();
          }
        });
  }

  private void fault() {
    Server server = servers.get(random.nextInt(size));
    switch (random.nextInt(5)) {
      case 0 -> server.stoppedUntil = nowNanos + random.nextLong(600 * MILLI);
      case 1, 2 -> cut(server.place, random.nextLong(900 * MILLI));
      default -> {
        if (mayKill()) {
          kill(server);
        }
      }
    }
  }

  /** All servers are the members, as each of them knows for good: the group outlives any. */
  private boolean mayKill() {
    List<Long> all = servers.stream().map(each -> each.id).sorted().toList();
    return servers.stream()
        .allMatch(each ->
            each.runs
                && each.stoppedUntil <= nowNanos
                && each.replica.members().stream().sorted().toList().equals(all));
  }

  private void kill(Server server) {
    server.runs = false;
    at(nowNanos + random.nextLong(800 * MILLI), server::start);
  }

  private void cut(int place, long nanos) {
    for (int other = 0; other < size; other++) {
      if (other != place) {
        cutUntil.put(link(place, other), nowNanos + nanos);
        if (random.nextInt(4) > 0) { // Else one way only.
          cutUntil.put(link(other, place), nowNanos + nanos);
        }
      }
    }
  }

  private boolean isCut(int from, int to) {
    return cutUntil.getOrDefault(link(from, to), 0L) > nowNanos;
  }

  private static int link(int from, int to) {
    return from * 1_000 + to;
  }

  private void send(int from, Place to, Message message) {
    int copies = !isHealed() && random.nextInt(100) < lossPercent ? random.nextInt(3) : 1;
    Message sent = throughBytes(message);
    for (int copy = 0; copy < copies; copy++) {
      long delay = 50_000 + random.nextLong(isHealed() ? 2_000 : slowestMicros) * 1_000;
      at(
          nowNanos + delay,
          () -> {
            if (!isCut(from, to.number)) {
              arrive(from, to.number, sent);
            }
          });
    }
  }

  private void arrive(int from, int to, Message message) {
    if (to >= size) {
      clients.get(to - size).received(message);
      return;
    }
    Server server = servers.get(to);
    boolean isOfMember =
        !(message instanceof Message.OfLog said)
            || servers.stream().anyMatch(each -> each.runs && each.id == said.replica());
    if (isOfMember) { // The host knows the others by their addresses.
      server.received(from, message);
    }
  }

  private static Message throughBytes(Message message) {
    ByteWriter writer = new ByteWriter(1 << 24);
    FrameCodec.begin(writer, 1, 2);
    FrameCodec.add(writer, message);
    FrameCodec.end(writer);
    Message read = FrameCodec.read(writer.toBytes().reader()).messages().getFirst();
    assertThat(read).isEqualTo(message);
    return read;
  }

  private static ServiceMethod method(String name) {
    return Objects.requireNonNull(METHODS.get(name));
  }

  private static Call call(String method) {
    return new Call(method(method).number(), method(method).encode(new Object[0]));
  }
}
