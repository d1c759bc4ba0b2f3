package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.Stand;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.TimedMap;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Message;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Processes in one thread, by one seed, whose threads count up the values of a map that a group
 * agrees on, and read them: messages are lost, doubled and late, links are cut, processes stop, go
 * on, and are killed and succeeded. What is counted is unique, and rises in real time.
 */
final class ActionsWorld {
  private static final long MILLI = 1_000_000;
  private static final long HEARTBEAT = 20 * MILLI;
  private static final long ELECTION = 60 * MILLI;
  private static final long FAULTS_UNTIL = 3_000 * MILLI;
  private static final long HEALED_UNTIL = 6_000 * MILLI;
  private static final int HEALED_SLOWEST_MICROS = 5_000;
  private static final long WAITS = 400 * MILLI;
  private static final long SERVICE = 42;
  private static final int KEYS = 3;

  record Place(long id) implements Address {}

  /** What a thread does with some keys. */
  private static final class Doing {
    final boolean reads;

    /** Whether it is an action that only reads. */
    final boolean looks;

    final long sinceNanos;

    /** What had been counted by then, for sure. */
    final Map<String, Long> atLeast;

    /** What it came to. */
    final Map<String, Long> values = new LinkedHashMap<>();

    boolean isExecuted;

    Doing(boolean reads, boolean looks, long sinceNanos, Map<String, Long> atLeast) {
      this.reads = reads;
      this.looks = looks;
      this.sinceNanos = sinceNanos;
      this.atLeast = atLeast;
    }
  }

  private final class Member {
    final long id;
    final VersionedState state = new VersionedState();
    final TimedMap<String, Long> map = state.map("map", String.class, Long.class);
    final ServiceInstance service = ServiceInstance.ofState(state);
    final ReplicaByConsensus replica;
    final Map<Long, Doing> threads = new LinkedHashMap<>();
    long stoppedUntil;
    boolean isDead;
    boolean isWriting;

    Member(long id) {
      this.id = id;
      processes.put(id, this);
      var group =
          new Group(id, Quorum.MAJORITY, HEARTBEAT, ELECTION, false, Group.Leases.NONE, 20, 1_000);
      var limits = LogSettings.Limits.USUAL.withLog(shortens ? 2_000 : 1 << 20);
      var settings = new LogSettings(size, Order.LINEARIZABLE, group, limits);
      Placement placement = Placement.of(SERVICE, id, view());
      replica =
          new ReplicaByConsensus(
              settings, placement, service, null, random.nextLong(), agenda.nowNanos);
    }
  }

  final SplittableRandom random;
  private final Agenda agenda = new Agenda();
  private final Map<Long, Member> processes = new LinkedHashMap<>();
  private final TreeSet<Long> alive = new TreeSet<>();
  private final Map<Long, Long> cutUntil = new LinkedHashMap<>();
  private final int size;
  private final int lossPercent;
  private final int slowestMicros;
  private final boolean shortens;
  private final Map<String, NavigableSet<Long>> counted = new LinkedHashMap<>();
  private final Map<String, Set<Long>> unknown = new LinkedHashMap<>();
  private long tickets;
  private int again;
  private int counts;
  private int reads;

  ActionsWorld(long seed) {
    random = new SplittableRandom(seed);
    size = 1 + random.nextInt(4);
    lossPercent = random.nextInt(25);
    slowestMicros = 200 + random.nextInt(40_000);
    shortens = random.nextBoolean();
    for (long id = 1; id <= size; id++) {
      alive.add(id);
    }
    alive.forEach(this::start);
  }

  int again() {
    return again;
  }

  int counts() {
    return counts;
  }

  int reads() {
    return reads;
  }

  void run() {
    faultLater();
    agenda.run(HEALED_UNTIL);
    List<Map<String, Object>> contents =
        alive.stream()
            .map(this::process)
            .map(each -> each.service.contents(each.replica.version()))
            .toList();
    for (int i = 0; i < KEYS; i++) {
      String key = "k" + i;
      Set<Long> maybe = unknown.getOrDefault(key, Set.of());
      for (long value = 1; !counted(key).isEmpty() && value <= counted(key).last(); value++) {
        assertThat(counted(key).contains(value) || maybe.contains(value))
            .describedAs("%s counts %d only after somebody has", key, value)
            .isTrue();
      }
    }
    assertThat(Set.copyOf(contents))
        .describedAs(
            "all have the same: %s", alive.stream().map(id -> process(id).replica).toList())
        .hasSize(1);
  }

  private Member process(long id) {
    return Objects.requireNonNull(processes.get(id));
  }

  private NavigableSet<Long> counted(String key) {
    return counted.computeIfAbsent(key, none -> new TreeSet<>());
  }

  private SortedMap<Long, Address> view() {
    SortedMap<Long, Address> view = new TreeMap<>();
    alive.forEach(each -> view.put(each, new Place(each)));
    return view;
  }

  private void start(long id) {
    Member process = new Member(id);
    tickLater(process);
    int threads = 1 + random.nextInt(4);
    for (int i = 0; i < threads; i++) {
      threadLater(process);
    }
  }

  private void tickLater(Member process) {
    long due = Math.min(process.replica.nextTickNanos(), agenda.nowNanos + HEARTBEAT);
    agenda.at(
        Math.max(Math.max(due, agenda.nowNanos + 20_000), process.stoppedUntil),
        () -> {
          if (!process.isDead) {
            step(process, new Event.Tick(agenda.nowNanos));
            tickLater(process);
          }
        });
  }

  private void threadLater(Member process) {
    threadAt(process, agenda.nowNanos + random.nextLong(30 * MILLI));
  }

  private void threadAt(Member process, long nanos) {
    agenda.at(
        Math.max(nanos, process.stoppedUntil),
        () -> {
          if (process.isDead) {
            return;
          }
          if (process.stoppedUntil > agenda.nowNanos) {
            threadAt(process, process.stoppedUntil);
            return;
          }
          if (!process.replica.isActive() || agenda.nowNanos > HEALED_UNTIL - 2 * WAITS) {
            threadLater(process);
            return;
          }
          Map<String, Long> atLeast = new LinkedHashMap<>();
          for (int i = random.nextInt(5) / 3; i >= 0; i--) {
            String key = "k" + random.nextInt(KEYS);
            atLeast.put(key, counted(key).isEmpty() ? 0 : counted(key).last());
          }
          int kind = random.nextInt(4);
          begin(process, ++tickets, new Doing(kind == 0, kind == 1, agenda.nowNanos, atLeast));
        });
  }

  private void begin(Member process, long ticket, Doing doing) {
    if (process.stoppedUntil > agenda.nowNanos) {
      agenda.at(process.stoppedUntil, () -> begin(process, ticket, doing));
      return;
    }
    if (process.isDead) {
      return;
    }
    process.threads.put(ticket, doing);
    agenda.at(agenda.nowNanos + WAITS, () -> endWait(process, ticket));
    if (doing.reads) {
      step(process, new Event.Looks(agenda.nowNanos, ticket));
    } else {
      execute(process, ticket, doing);
    }
  }

  /** One thread of a process at a time; meanwhile the others see what happens, and it does not. */
  private void execute(Member process, long ticket, Doing doing) {
    if (process.isDead || !process.threads.containsKey(ticket)) {
      return;
    }
    if (process.isWriting || process.stoppedUntil > agenda.nowNanos) {
      agenda.at(
          Math.max(process.stoppedUntil, agenda.nowNanos + MILLI / 10),
          () -> execute(process, ticket, doing));
      return;
    }
    process.isWriting = true;
    Stand stand = process.replica.stand();
    VersionedAction action =
        process.state.beginTraced(stand.version(), agenda.nowNanos / MILLI, ticket);
    for (String key : doing.atLeast.keySet()) {
      doing.values.put(
          key,
          doing.looks
              ? process.map.getOrDefault(key, 0L)
              : process.map.compute(key, (k, sum) -> sum == null ? 1 : sum + 1));
    }
    if (!doing.looks && random.nextInt(10) == 0) {
      process.map.put("size", (long) process.map.size());
    }
    Version after = action.commit();
    ByteWriter writer = new ByteWriter(1 << 20);
    if (!doing.looks) {
      process.state.writeChange(action.change(), writer);
    }
    Bytes change = writer.toBytes();
    writer.reset();
    action.footprint().write(writer);
    Bytes footprint = writer.toBytes();
    long took = random.nextInt(4) == 0 ? random.nextLong(5 * MILLI) : 0;
    agenda.at(
        agenda.nowNanos + took, () -> ended(process, ticket, stand, footprint, change, after));
  }

  private void ended(
      Member process, long ticket, Stand stand, Bytes footprint, Bytes change, Version after) {
    if (process.stoppedUntil > agenda.nowNanos) {
      agenda.at(
          process.stoppedUntil, () -> ended(process, ticket, stand, footprint, change, after));
      return;
    }
    process.isWriting = false;
    Doing doing = process.threads.get(ticket);
    if (doing != null && !process.isDead) {
      doing.isExecuted = true;
      step(process, new Event.Acted(agenda.nowNanos, ticket, stand, footprint, change, after));
    }
  }

  private void endWait(Member process, long ticket) {
    Doing doing = process.threads.get(ticket);
    if (process.stoppedUntil > agenda.nowNanos) {
      agenda.at(process.stoppedUntil, () -> endWait(process, ticket));
    } else if (doing != null && !process.isDead && !doing.reads && !doing.isExecuted) {
      agenda.at(agenda.nowNanos + MILLI, () -> endWait(process, ticket));
    } else if (doing != null && !process.isDead) {
      step(process, new Event.EndWait(agenda.nowNanos, ticket));
      assertThat(process.threads)
          .describedAs("who waits no longer hears at once")
          .doesNotContainKey(ticket);
    }
  }

  private void decided(Member process, Effect.Decided decided) {
    Doing doing =
        Objects.requireNonNull(process.threads.remove(decided.ticket()), "each is decided once");
    switch (decided.decision()) {
      case COUNTS -> counts(process, doing);
      case AGAIN -> {
        again++;
        doing.isExecuted = false;
        if (agenda.nowNanos - doing.sinceNanos > WAITS) {
          threadLater(process);
        } else {
          agenda.at(agenda.nowNanos, () -> begin(process, ++tickets, doing));
        }
      }
      case FAILED -> threadLater(process);
      case UNKNOWN -> {
        mayCount(doing);
        threadLater(process);
      }
    }
  }

  private void counts(Member process, Doing doing) {
    if (doing.reads) {
      reads++;
      var contents = (Map<?, ?>) process.service.contents(process.replica.version()).get("map");
      doing.atLeast.forEach((key, atLeast) -> {
        Object read = contents == null ? null : contents.get(key);
        assertThat(read == null ? 0 : (Long) read)
            .describedAs("a read of %s shows what was acknowledged before it", key)
            .isGreaterThanOrEqualTo(atLeast);
      });
    } else if (doing.looks) {
      reads++;
      doing.values.forEach((key, value) ->
          assertThat(value)
              .describedAs("an action that reads %s sees what was acknowledged before it", key)
              .isGreaterThanOrEqualTo(doing.atLeast.get(key)));
    } else {
      counts++;
      doing.values.forEach((key, value) -> {
        assertThat(counted(key).add(value))
            .describedAs("%s counts each value once: %d", key, value)
            .isTrue();
        assertThat(value)
            .describedAs("%s counts on from what was acknowledged before", key)
            .isGreaterThan(doing.atLeast.get(key));
      });
    }
    threadLater(process);
  }

  private void mayCount(Doing doing) {
    if (doing.looks) {
      return;
    }
    doing.values.forEach(
        (key, value) -> unknown.computeIfAbsent(key, none -> new LinkedHashSet<>()).add(value));
  }

  private void faultLater() {
    agenda.at(
        agenda.nowNanos + random.nextLong(300 * MILLI),
        () -> {
          if (agenda.nowNanos < FAULTS_UNTIL) {
            fault();
            faultLater();
          }
        });
  }

  private void fault() {
    List<Long> all = List.copyOf(alive);
    long one = all.get(random.nextInt(all.size()));
    long other = all.get(random.nextInt(all.size()));
    long until = Math.min(agenda.nowNanos + random.nextLong(600 * MILLI), FAULTS_UNTIL);
    switch (random.nextInt(6)) {
      case 0 -> process(one).stoppedUntil = until;
      case 1 -> cutUntil.put(link(one, other), until); // One way only.
      case 2, 3 -> {
        for (long each : all) {
          cutUntil.put(link(one, each), until);
          cutUntil.put(link(each, one), until);
        }
      }
      case 4 -> {
        if (size > 2 && isWhole(one)) {
          succeed(one);
        }
      }
      default -> {}
    }
  }

  /** Whether a majority of the members is left without it. */
  private boolean isWhole(long without) {
    return alive.stream()
        .map(this::process)
        .filter(each -> each.id != without)
        .allMatch(
            each -> each.replica.isActive() && each.replica.members().equals(List.copyOf(alive)));
  }

  private void succeed(long id) {
    Member killed = process(id);
    killed.isDead = true;
    killed.threads.values().stream().filter(doing -> !doing.reads).forEach(this::mayCount);
    alive.remove(id);
    long successor = 100L + processes.size();
    alive.add(successor);
    start(successor);
    List.copyOf(alive).stream()
        .map(this::process)
        .forEach(each -> step(each, new Event.ViewChanged(agenda.nowNanos, view())));
  }

  private static long link(long from, long to) {
    return from * 1_000 + to;
  }

  private void step(Member process, Event event) {
    if (process.isDead) {
      return;
    }
    if (process.stoppedUntil > agenda.nowNanos) {
      agenda.at(process.stoppedUntil, () -> step(process, later(event)));
      return;
    }
    List<Effect> effects = process.replica.step(event);
    process.replica.checkInvariants();
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(Address to, Message message) -> send(process.id, to, message);
        case Effect.Make(Address to, var message) -> send(process.id, to, message.get());
        case Effect.Decided decided -> decided(process, decided);
        default -> {}
      }
    }
  }

  private Event later(Event event) {
    return switch (event) {
      case Event.Tick tick -> new Event.Tick(agenda.nowNanos);
      case Event.Received(var then, var from, var message) ->
          new Event.Received(agenda.nowNanos, from, message);
      case Event.ViewChanged(var then, var view) -> new Event.ViewChanged(agenda.nowNanos, view);
      case Event.EndWait(var then, var ticket) -> new Event.EndWait(agenda.nowNanos, ticket);
      case Event.Looks(var then, var ticket) -> new Event.Looks(agenda.nowNanos, ticket);
      case Event.Acted acted ->
          new Event.Acted(
              agenda.nowNanos,
              acted.ticket(),
              acted.stand(),
              acted.footprint(),
              acted.change(),
              acted.after());
      default -> throw new IllegalStateException("not of this world: " + event);
    };
  }

  private void send(long from, Address to, Message message) {
    boolean isLost = isFaulty() && random.nextInt(100) < lossPercent;
    int copies = isLost ? 0 : 1 + random.nextInt(11) / 10;
    for (int i = 0; i < copies; i++) {
      deliver(from, ((Place) to).id(), message);
    }
  }

  private boolean isFaulty() {
    return agenda.nowNanos < FAULTS_UNTIL;
  }

  private void deliver(long from, long to, Message message) {
    long late = random.nextInt(20) == 0 && isFaulty() ? 500 * MILLI : 0;
    int slowest = isFaulty() ? slowestMicros : Math.min(slowestMicros, HEALED_SLOWEST_MICROS);
    agenda.at(
        agenda.nowNanos + 1_000L * (50 + random.nextInt(slowest)) + random.nextLong(late + 1),
        () -> {
          @Nullable Member receiver = processes.get(to);
          boolean isCut = cutUntil.getOrDefault(link(from, to), 0L) > agenda.nowNanos;
          if (receiver != null && !isCut) {
            step(receiver, new Event.Received(agenda.nowNanos, new Place(from), message));
          }
        });
  }
}
