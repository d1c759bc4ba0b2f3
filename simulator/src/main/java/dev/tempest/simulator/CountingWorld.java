package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.simulator.CountingServer.Place;
import dev.tempest.simulator.Report.Counts;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Servers of a number whose order is by consensus, and clients that count, in one thread and by one
 * seed. Messages go through their bytes; they are lost, doubled and late; servers are cut off, one
 * way or both, stop, and are killed without their memory; if they store, all of them at once, too;
 * adaptive ones lose their power where that may not cost anything that was acknowledged. Then
 * everything heals, and the clients must be answered. What they were told has to be linearizable.
 */
final class CountingWorld {
  static final long SERVICE = 7;
  private static final long MILLI = 1_000_000;
  private static final long BEGIN_NANOS = 1_700_000_000_000L * MILLI;
  private static final long FAULTS_UNTIL_NANOS = 5_000 * MILLI;
  private static final long REQUESTS_UNTIL_NANOS = 8_000 * MILLI;
  private static final long ENDS_NANOS = 12_000 * MILLI;

  /** Since then requests are to be answered, and so many at least. */
  private static final long PROGRESS_FROM_NANOS = 7_000 * MILLI;

  private static final int PROGRESS_MIN = 10;

  /**
   * For so much longer where something goes on being wrong: servers that are busy for longer than a
   * leader has take turns, and so do those that all came to something else. They have to come on,
   * though not as fast as others.
   */
  private static final long LONGER_NANOS = 4_000 * MILLI;

  /** Whoever is down for so long has been missed by all that run. */
  private static final long MISSED_NANOS = 1_000 * MILLI;

  private static final int CLIENTS = 3;

  private static final int LINEARIZABLE_PERCENT = 40;
  private static final int LEASE_PERCENT = 35;

  private static final int ADAPTIVE_PERCENT = 20;
  private static final int DISK_PERCENT = 30;

  /** So many copies arrive when whoever sent them has long gone on. */
  private static final int STRAGGLER_PERCENT = 2;

  /** Several times as long as a leader has, until all are more patient. */
  private static final int BUSY_MAX_MILLIS = 250;

  private static final int STRAGGLER_MAX_MILLIS = 4_000;
  private static final int MESSAGE_MAX_BYTES = 1 << 24;
  private static final int TRACE_TAIL_LINES = 400;

  /** What is wrong with one server until it starts again. */
  enum Oddity {
    NONE,
    /** It lacks a method. */
    OLDER,
    /** It draws random numbers of its own. */
    NOT_DETERMINISTIC
  }

  private final long seed;
  private final Randomness random;
  private final Agenda agenda = new Agenda();
  private final Trace trace;
  private final List<CountingServer> servers = new ArrayList<>();
  private final List<CountingClient> clients = new ArrayList<>();
  private final CountingHistory history = new CountingHistory();
  private final Map<Integer, Long> cutUntil = new LinkedHashMap<>();
  private final Order.ByConsensus order;
  private final Oddity oddity;
  private final int size;
  private final int lossPercent;
  private final int slowestMicros;

  /** So many of the updates that a server executes hold it up. */
  private final int busyPercent;

  private long steps;
  private long lost;
  private long crashes;

  /**
   * Draws one.
   *
   * @param listener is handed every line of the trace; null for none
   */
  CountingWorld(long seed, @Nullable Consumer<String> listener) {
    this.seed = seed;
    this.random = new Randomness(Randomness.mix(seed));
    this.trace =
        listener == null
            ? Trace.ofTail(agenda, TRACE_TAIL_LINES)
            : Trace.ofAll(agenda, TRACE_TAIL_LINES, listener);
    this.oddity =
        switch ((int) Math.floorMod(seed, 12L)) {
          case 3 -> Oddity.OLDER;
          case 9 -> Oddity.NOT_DETERMINISTIC;
          default -> Oddity.NONE;
        };
    Executes executes =
        switch ((int) Math.floorMod(seed, 3L)) {
          case 0 -> Executes.ALL;
          case 1 -> Executes.LEADER;
          default -> Executes.ANY;
        };
    this.order = new Order.ByConsensus(executes, drawReads(), drawLog());
    this.size = random.chance(25) ? 5 : 3;
    this.lossPercent = random.below(25);
    this.slowestMicros = random.between(200, 20_000);
    this.busyPercent = random.chance(25) ? random.between(1, 20) : 0;
    int batch = random.between(1, 20);
    long logMaxBytes = random.chance(50) ? random.between(2_000, 6_000) : 1 << 20;
    for (int place = 0; place < size; place++) {
      servers.add(new CountingServer(this, place, batch, logMaxBytes));
    }
    for (int client = 0; client < CLIENTS; client++) {
      clients.add(new CountingClient(this, size + client, random.split()));
    }
  }

  /** Runs it to its end. */
  Report run() {
    List<Violation> violations;
    try {
      servers.forEach(CountingServer::start);
      clients.forEach(client -> after(random.below(300) * MILLI, client::ask));
      tellLater();
      faultLater();
      after(FAULTS_UNTIL_NANOS, this::upgrade);
      agenda.runUntil(ENDS_NANOS + longerNanos());
      violations = violations();
    } catch (Violation.Found found) {
      violations = List.of(found.violation());
    }
    return violations.isEmpty()
        ? new Report.Passed(seed, Scenario.BURN, counts())
        : new Report.Failed(seed, Scenario.BURN, counts(), violations, trace.tail());
  }

  private List<Violation> violations() {
    List<Violation> found = new ArrayList<>();
    history
        .wrong(order.reads())
        .forEach(each -> found.add(new Violation(Violation.Kind.OUT_OF_ORDER, each)));
    long answered = history.answered(PROGRESS_FROM_NANOS);
    if (answered < PROGRESS_MIN) {
      found.add(
          new Violation(
              Violation.Kind.STUCK,
              "%d requests were answered after everything was healed: %s"
                  .formatted(answered, servers)));
    }
    Map<Long, Long> hashes = new LinkedHashMap<>();
    for (CountingServer server : servers) {
      CountingServer.Reached reached = server.reached();
      if (reached == null) {
        continue;
      }
      Long other = hashes.put(reached.slot(), reached.hash());
      if (other != null && other.longValue() != reached.hash()) {
        found.add(
            new Violation(
                Violation.Kind.DIVERGED,
                "replicas have different states at slot %d: %s"
                    .formatted(reached.slot(), servers)));
      }
    }
    return found;
  }

  /** An older server becomes as the others are. */
  private void upgrade() {
    CountingServer first = servers.getFirst();
    if (oddity == Oddity.OLDER && first.isOdd()) {
      if (mayKill()) {
        first.kill(false);
        after(100 * MILLI, first::start);
      } else {
        after(50 * MILLI, this::upgrade);
      }
    }
  }

  private Counts counts() {
    List<CountingHistory.Operation> all = history.operations();
    long updates = all.stream().filter(each -> each.isUpdate).count();
    return new Counts(
        size,
        CLIENTS,
        steps,
        agenda.nowNanos() / MILLI,
        updates,
        all.size() - updates,
        0,
        all.stream().filter(each -> each.givenUp).count(),
        steps,
        lost,
        0,
        crashes,
        0,
        0,
        all.stream().filter(each -> each.isUpdate && each.value >= 0).count(),
        0,
        trace.hash());
  }

  int size() {
    return size;
  }

  /** How long a server is busy with an update. */
  long busyNanos() {
    return random.chance(busyPercent) ? random.below(BUSY_MAX_MILLIS) * MILLI : 0;
  }

  Order.ByConsensus order() {
    return order;
  }

  private Reads drawReads() {
    int percent = random.below(100);
    if (percent < LINEARIZABLE_PERCENT) {
      return Reads.LINEARIZABLE;
    }
    if (percent < LINEARIZABLE_PERCENT + LEASE_PERCENT) {
      return Reads.LEASE;
    }
    return random.chance(60) ? Reads.SESSION : Reads.STALE;
  }

  private Log drawLog() {
    int percent = random.below(100);
    if (percent < ADAPTIVE_PERCENT) {
      return Log.ADAPTIVE;
    }
    return percent < ADAPTIVE_PERCENT + DISK_PERCENT ? Log.DISK : Log.MEMORY;
  }

  Oddity oddity() {
    return oddity;
  }

  Randomness random() {
    return random;
  }

  CountingHistory history() {
    return history;
  }

  /** Nanoseconds since the world began. */
  long nowNanos() {
    return agenda.nowNanos();
  }

  /** What a clock shows that runs as fast as it should. */
  long clockNanos() {
    return clockNanos(100);
  }

  /** What a clock shows that runs at so many percent of the speed that it should. */
  long clockNanos(int percent) {
    return BEGIN_NANOS + agenda.nowNanos() / 100 * percent;
  }

  /** When such a clock shows that, since the world began. */
  long sinceBegin(long clockNanos, int percent) {
    return (clockNanos - BEGIN_NANOS) / percent * 100;
  }

  void after(long nanos, Runnable what) {
    agenda.after(nanos, what);
  }

  void trace(String node, String text) {
    trace.add(node, text);
  }

  /** Whether clients may ask for more. */
  boolean takesRequests() {
    return agenda.nowNanos() < REQUESTS_UNTIL_NANOS + longerNanos();
  }

  private long longerNanos() {
    boolean goesOn = busyPercent > 0 || oddity == Oddity.NOT_DETERMINISTIC;
    return goesOn ? LONGER_NANOS : 0;
  }

  private boolean isHealed() {
    return agenda.nowNanos() >= FAULTS_UNTIL_NANOS;
  }

  /** All that run now. */
  SortedMap<Long, Address> view() {
    SortedMap<Long, Address> view = new TreeMap<>();
    servers.stream()
        .filter(CountingServer::runs)
        .forEach(server -> view.put(server.id(), new Place(server.place())));
    return view;
  }

  /** Who is there is known a while later, and whoever is cut off is not. */
  private void tellLater() {
    after(
        random.between(50, 250) * MILLI,
        () -> {
          for (CountingServer server : servers) {
            if (random.chance(50)) {
              SortedMap<Long, Address> view = view();
              servers.stream()
                  .filter(other -> isCut(server.place(), other.place()))
                  .forEach(other -> view.remove(other.id()));
              server.tell(view);
            }
          }
          tellLater();
        });
  }

  private void faultLater() {
    after(
        random.between(100, 700) * MILLI,
        () -> {
          if (!isHealed()) {
            fault();
            faultLater();
          }
        });
  }

  private void fault() {
    CountingServer server = random.pick(servers);
    switch (random.below(5)) {
      case 0 -> server.stop(random.below(600) * MILLI);
      case 1, 2 -> cutOff(server, random.below(900) * MILLI);
      default -> {
        if (order.stores() && random.chance(40)) {
          killSome();
        } else if (mayKill()) {
          restart(server, true);
          if (random.chance(20)) {
            server.damage();
          }
        }
      }
    }
  }

  /** As in {@link CountingServer#kill}, and starts it a while later. */
  private void restart(CountingServer server, boolean mayForget) {
    crashes++;
    server.kill(mayForget);
    int longest = order.log() == Log.ADAPTIVE ? 2_000 : 800;
    after(random.below(longest) * MILLI, server::start);
  }

  /**
   * Whatever the others do: they come back with what they had, at another process; but for one that
   * may lose its power, if the others can go on without it.
   */
  private void killSome() {
    boolean all = random.chance(30);
    CountingServer loser = mayKill() ? random.pick(servers) : null;
    for (CountingServer each : servers) {
      if (each.runs() && (all || random.chance(50))) {
        restart(each, each == loser || hasMissedAnother(each));
      }
    }
  }

  /** It has to have synced all by then, and may lose its power whatever it relied on. */
  private boolean hasMissedAnother(CountingServer server) {
    long since = nowNanos() - MISSED_NANOS;
    return server.hasRun(true, since)
        && servers.stream().anyMatch(each -> each.hasRun(false, since));
  }

  /** What the server that has this disk would store. */
  @Nullable Checkpoint checkpoint(CountingDisk disk) {
    return servers.stream()
        .filter(server -> server.has(disk) && server.runs() && !server.isStopped())
        .findFirst()
        .map(CountingServer::checkpoint)
        .orElse(null);
  }

  /** All servers are the members, as each of them knows for good: the group outlives any. */
  private boolean mayKill() {
    List<Long> all = servers.stream().map(CountingServer::replicaId).sorted().toList();
    return servers.stream()
        .allMatch(each ->
            each.runs()
                && !each.isStopped()
                && each.members().stream().sorted().toList().equals(all));
  }

  /** With another one maybe, so that a leader keeps somebody who follows it. */
  private void cutOff(CountingServer server, long nanos) {
    boolean bothWays = random.chance(75);
    List<CountingServer> here =
        random.chance(25) ? List.of(server, random.pick(servers)) : List.of(server);
    String names = here.stream().map(CountingServer::name).distinct().toList().toString();
    trace.add(names, "cut off for " + nanos / MILLI + " ms" + (bothWays ? "" : ", one way"));
    for (CountingServer there : servers) {
      for (CountingServer each : here.contains(there) ? List.<CountingServer>of() : here) {
        cutUntil.put(link(each.place(), there.place()), nowNanos() + nanos);
        if (bothWays) {
          cutUntil.put(link(there.place(), each.place()), nowNanos() + nanos);
        }
      }
    }
  }

  private boolean isCut(int from, int to) {
    return cutUntil.getOrDefault(link(from, to), 0L) > nowNanos();
  }

  private static int link(int from, int to) {
    return from * 1_000 + to;
  }

  /** Somebody sends a message, which arrives sometime, twice, or never. */
  void send(int from, int to, Message message) {
    boolean isOdd = !isHealed() && random.chance(lossPercent);
    int copies = isOdd ? random.below(3) : 1;
    lost += copies == 0 ? 1 : 0;
    Message sent = throughBytes(message);
    trace.mix(sent.hashCode());
    int slowest = isHealed() ? 2_000 : slowestMicros;
    for (int copy = 0; copy < copies; copy++) {
      arriveAfter(random.between(50, slowest + 50) * 1_000L, from, to, sent);
    }
    if (!isHealed() && random.chance(STRAGGLER_PERCENT)) {
      arriveAfter(random.below(STRAGGLER_MAX_MILLIS) * MILLI, from, to, sent);
    }
  }

  private void arriveAfter(long nanos, int from, int to, Message message) {
    after(
        nanos,
        () -> {
          if (!isCut(from, to)) {
            arrive(from, to, message);
          }
        });
  }

  private void arrive(int from, int to, Message message) {
    steps++;
    trace.add(
        to < size ? servers.get(to).name() : "c" + (to - size),
        message.hashCode(),
        () -> "from p" + from + ": " + message);
    if (to >= size) {
      clients.get(to - size).received(message);
    } else if (!(message instanceof Message.OfLog said) || isOfLiving(said.replica())) {
      servers.get(to).received(from, message);
    }
  }

  /** A host knows the others by their addresses. */
  private boolean isOfLiving(long replica) {
    return servers.stream().anyMatch(each -> each.runs() && each.id() == replica);
  }

  private static Message throughBytes(Message message) {
    ByteWriter writer = new ByteWriter(MESSAGE_MAX_BYTES);
    FrameCodec.begin(writer, 1, 2);
    FrameCodec.add(writer, message);
    FrameCodec.end(writer);
    Message read = FrameCodec.read(writer.toBytes().reader()).messages().getFirst();
    if (!read.equals(message)) {
      throw new Violation.Found(
          new Violation(Violation.Kind.DAMAGE_UNNOTICED, read + " was sent as " + message));
    }
    return read;
  }
}
