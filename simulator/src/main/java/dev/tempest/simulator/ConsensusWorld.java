package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Log;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Views;
import dev.tempest.protocol.order.log.ReplicaByConsensus;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.simulator.ConsensusServer.Place;
import dev.tempest.simulator.Report.Counts;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Servers whose order is by consensus, in one thread and by one seed; who uses them, and what that
 * has to be told, each world says. Messages go through their bytes; they are lost or damaged,
 * doubled and late; and {@linkplain ConsensusFaults much goes wrong}. Then everything heals, and
 * there must be progress.
 */
abstract class ConsensusWorld {
  static final long SERVICE = 7;
  private static final long MILLI = 1_000_000;
  private static final long BEGIN_NANOS = 1_700_000_000_000L * MILLI;
  private static final long FAULTS_UNTIL_NANOS = 5_000 * MILLI;
  private static final long REQUESTS_UNTIL_NANOS = 8_000 * MILLI;
  private static final long ENDS_NANOS = 12_000 * MILLI;

  /** Since then requests are to be answered. */
  static final long PROGRESS_FROM_NANOS = 7_000 * MILLI;

  /** In so many worlds whose logs are on disks some are not. */
  private static final int MIXED_PERCENT = 20;

  /** So many copies arrive when whoever sent them has long gone on. */
  private static final Stragglers LATE = new Stragglers(2, 4_000);

  /** As late as a leader that is cut off stops to lead, about. */
  private static final Stragglers SOON = new Stragglers(8, 300);

  /** So many want to lead once all is well, at most: no leader is deposed that leads. */
  private static final int CANDIDATES_MAX = 5;

  private static final int MESSAGE_MAX_BYTES = 1 << 24;
  private static final int TRACE_TAIL_LINES = 400;

  private record Stragglers(int percent, int maxMillis) {}

  private final long seed;
  private final Randomness random;

  /** Draws how what gets lost is damaged, so that all else is as it is without that. */
  private final Randomness damage;

  private final Agenda agenda = new Agenda();
  private final Trace trace;
  private final List<ConsensusServer> servers = new ArrayList<>();
  private final ConsensusFaults faults;
  private final Shedding shedding;
  private final ViewService views = new ViewService();
  private final Order.ByConsensus order;
  private final int size;

  /** So many servers, the first ones, have their logs in memory whatever the others do. */
  private final int inMemory;

  private final Set<Ballot> candidates = new LinkedHashSet<>();
  private final int lossPercent;
  private final int slowestMicros;
  private final Stragglers stragglers;
  private long steps;
  private long lost;

  /**
   * Draws one without servers.
   *
   * @param order is drawn first
   * @param listener is handed every line of the trace; null for none
   */
  ConsensusWorld(
      long seed,
      Function<Randomness, Order.ByConsensus> order,
      @Nullable Consumer<String> listener) {
    this.seed = seed;
    this.random = new Randomness(Randomness.mix(seed));
    this.damage = new Randomness(Randomness.mix(seed + 2));
    this.trace = Trace.of(agenda, TRACE_TAIL_LINES, listener);
    this.order = order.apply(random);
    this.size = random.chance(25) ? 5 : 3;
    boolean isMixed = this.order.log() == Log.DISK && random.chance(MIXED_PERCENT);
    this.inMemory = isMixed ? random.between(1, size - 1) : 0;
    this.lossPercent = random.below(25);
    this.slowestMicros = random.between(200, 20_000);
    this.stragglers = random.chance(50) ? SOON : LATE;
    this.faults = new ConsensusFaults(this);
    this.shedding = Shedding.of(seed);
  }

  /**
   * Draws the servers, as the last thing of all that they need.
   *
   * @param batchMin so many entries travel together at least
   * @param logMinBytes a log that is scaled down takes so much at least, and up to three times that
   * @return their limits
   */
  final ConsensusLimits drawServers(int batchMin, int logMinBytes) {
    int batch = random.between(batchMin, 20);
    long logMaxBytes = random.chance(50) ? random.between(logMinBytes, 3 * logMinBytes) : 1 << 20;
    ConsensusLimits limits = new ConsensusLimits(seed, logMaxBytes, clients() > 0);
    for (int place = 0; place < size; place++) {
      servers.add(new ConsensusServer(this, place, batch, limits));
    }
    return limits;
  }

  /** What a server hosts that starts. */
  abstract ServiceInstance service(ConsensusServer server);

  /** The replica of a server that starts, maybe in the hands of somebody who tampers with it. */
  Replica machine(ConsensusServer server, ReplicaByConsensus replica) {
    return replica;
  }

  /** What a replica wants beside messages and a disk. */
  abstract void perform(ConsensusServer server, Effect effect);

  /** Something comes for somebody who is no server. */
  abstract void received(int client, int from, Message message);

  /** Those who use the servers begin. */
  abstract void begin();

  /** Nothing goes wrong any more. */
  void healed() {}

  /** For so much longer it may take until all is well. */
  long longerNanos() {
    return 0;
  }

  /** What was broken, once it is over. */
  abstract List<Violation> violations();

  /** How much happened. */
  abstract Counts counts();

  /** How many clients there are. */
  abstract int clients();

  /** Runs it to its end. */
  final Report run() {
    List<Violation> violations;
    try {
      servers.forEach(ConsensusServer::start);
      begin();
      tellLater();
      faults.begin();
      after(FAULTS_UNTIL_NANOS, this::heal);
      agenda.runUntil(ENDS_NANOS + longerNanos());
      violations = new ArrayList<>(violations());
      violations.addAll(unstable());
    } catch (Violation.Found found) {
      violations = List.of(found.violation());
    }
    return violations.isEmpty()
        ? new Report.Passed(seed, Scenario.BURN, counts())
        : new Report.Failed(seed, Scenario.BURN, counts(), violations, trace.tail());
  }

  /** No replica has another state than another one after as many slots. */
  final List<Violation> diverged() {
    List<Violation> found = new ArrayList<>();
    Map<Long, Long> hashes = new LinkedHashMap<>();
    for (ConsensusServer server : servers) {
      ConsensusServer.Reached reached = server.reached();
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

  /** There was progress after everything had healed if so much of somebody's was answered. */
  final List<Violation> stuck(String who, long answered, long least) {
    return answered >= least
        ? List.of()
        : List.of(
            new Violation(
                Violation.Kind.STUCK,
                "%d requests of %s were answered after everything was healed: %s"
                    .formatted(answered, who, servers)));
  }

  private List<Violation> unstable() {
    return candidates.size() <= CANDIDATES_MAX
        ? List.of()
        : List.of(
            new Violation(
                Violation.Kind.STUCK,
                "leaders followed each other after everything was healed: " + candidates));
  }

  /** With what all such worlds count. */
  final Counts counts(
      int users,
      long updates,
      long reads,
      long writes,
      long unknown,
      long acknowledged,
      long undecided) {
    return new Counts(
        size,
        users,
        steps,
        agenda.nowNanos() / MILLI,
        updates,
        reads,
        writes,
        unknown,
        steps,
        lost,
        0,
        faults.crashes(),
        0,
        0,
        acknowledged,
        0,
        undecided,
        trace.hash());
  }

  final List<ConsensusServer> servers() {
    return servers;
  }

  /** How many replicas there are to be. */
  final int copies() {
    return order.quorum() == Quorum.ALL ? Math.min(size, 2 + (int) Math.floorMod(seed, 2L)) : size;
  }

  final ViewService views() {
    return views;
  }

  final ConsensusFaults faults() {
    return faults;
  }

  final Shedding shedding() {
    return shedding;
  }

  final int size() {
    return size;
  }

  final Order.ByConsensus order() {
    return order;
  }

  /** As the server at one place is configured. */
  final Order.ByConsensus orderAt(int place) {
    return place < inMemory ? order.withLog(Log.MEMORY) : order;
  }

  final long seed() {
    return seed;
  }

  final Randomness random() {
    return random;
  }

  /** Nanoseconds since the world began. */
  final long nowNanos() {
    return agenda.nowNanos();
  }

  /** What a clock shows that runs as fast as it should. */
  final long clockNanos() {
    return clockNanos(100);
  }

  /** What a clock shows that runs at so many percent of the speed that it should. */
  final long clockNanos(int percent) {
    return BEGIN_NANOS + agenda.nowNanos() / 100 * percent;
  }

  /** When such a clock shows that, since the world began. */
  final long sinceBegin(long clockNanos, int percent) {
    return (clockNanos - BEGIN_NANOS) / percent * 100;
  }

  final void after(long nanos, Runnable what) {
    agenda.after(nanos, what);
  }

  final void trace(String node, String text) {
    trace.add(node, text);
  }

  /** Whether clients may ask for more. */
  final boolean takesRequests() {
    return agenda.nowNanos() < REQUESTS_UNTIL_NANOS + longerNanos();
  }

  private void heal() {
    faults.heal();
    shedding.end();
    healed();
  }

  final boolean isHealed() {
    return agenda.nowNanos() >= FAULTS_UNTIL_NANOS;
  }

  /** As {@link #trace(String, String)}, if somebody wants to see it. */
  final void trace(String node, long content, Supplier<String> text) {
    trace.add(node, content, text);
  }

  /** All that run now. */
  final SortedMap<Long, Address> view() {
    SortedMap<Long, Address> view = new TreeMap<>();
    servers.stream()
        .filter(ConsensusServer::runs)
        .forEach(server -> view.put(server.id(), new Place(server.place())));
    return view;
  }

  /** Who is there is known a while later, and whoever is cut off is not. */
  private void tellLater() {
    after(
        random.between(50, 250) * MILLI,
        () -> {
          for (ConsensusServer server : servers) {
            if (random.chance(50)) {
              SortedMap<Long, Address> view = view();
              servers.stream()
                  .filter(other -> faults.isCut(server.place(), other.place()))
                  .forEach(other -> view.remove(other.id()));
              server.tell(view);
            }
          }
          tellLater();
        });
  }

  /** What the server that has this disk would store. */
  final @Nullable Checkpoint checkpoint(ConsensusDisk disk) {
    return servers.stream()
        .filter(server -> server.has(disk) && server.runs() && !server.isStopped())
        .findFirst()
        .map(ConsensusServer::checkpoint)
        .orElse(null);
  }

  /** Somebody sends a message, which arrives sometime, twice, or damaged, which is as never. */
  final void send(int from, int to, Message message) {
    if (agenda.nowNanos() >= PROGRESS_FROM_NANOS + longerNanos()
        && message instanceof Message.OfLog(var service, var by, LogMessage.Prepare prepare)) {
      candidates.add(
          order.quorum() == Quorum.ALL
              ? new Ballot(1, prepare.ballot().replica()) // Backups come and go under a primary.
              : prepare.ballot());
    }
    boolean isOdd = !isHealed() && random.chance(lossPercent);
    int copies = isOdd ? random.below(3) : 1;
    byte[] frame = frame(message);
    Message sent = Frames.read(frame, false).getFirst();
    if (!sent.equals(message)) {
      throw new Violation.Found(
          new Violation(Violation.Kind.DAMAGE_UNNOTICED, sent + " was sent as " + message));
    }
    if (copies == 0) {
      lost++;
      Frames.read(Frames.damaged(frame, damage), true);
    }
    int content = Arrays.hashCode(frame); // The same in every JVM, as hashes of enums are not.
    trace.mix(content);
    int slowest = isHealed() ? 2_000 : slowestMicros;
    for (int copy = 0; copy < copies; copy++) {
      long nanos = random.between(50, slowest + 50) * 1_000L;
      after(
          nanos,
          () -> {
            if (!faults.isCut(from, to)) {
              arrive(from, to, sent, content);
            }
          });
    }
    if (!isHealed() && !faults.isCut(from, to) && random.chance(stragglers.percent)) {
      // Already beyond the link: it comes from who has meanwhile been cut off.
      after(random.below(stragglers.maxMillis) * MILLI, () -> arrive(from, to, sent, content));
    }
  }

  private void arrive(int from, int to, Message message, int content) {
    steps++;
    trace.add(
        to < size ? servers.get(to).name() : "c" + (to - size),
        content,
        () -> "from p" + from + ": " + message);
    if (to >= size) {
      received(to - size, from, message);
    } else if (message instanceof Message.Update asks && asks.service() == Views.SERVICE) {
      if (servers.get(to).runs() && !servers.get(to).isStopped()) {
        send(to, from, views.answer(asks, clockNanos() / MILLI));
      }
    } else if (!(message instanceof Message.OfLog said) || isOfLiving(said.replica())) {
      servers.get(to).received(from, message);
    }
  }

  /** A host knows the others by their addresses. */
  private boolean isOfLiving(long replica) {
    for (ConsensusServer each : servers) {
      if (each.id() == replica) {
        return each.runs();
      }
    }
    return false;
  }

  private static byte[] frame(Message message) {
    ByteWriter writer = new ByteWriter(MESSAGE_MAX_BYTES);
    FrameCodec.begin(writer, 1, 2);
    FrameCodec.add(writer, message);
    FrameCodec.end(writer);
    return Arrays.copyOf(writer.array(), writer.size());
  }
}
