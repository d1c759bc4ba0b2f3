package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Ballots;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.simulator.Report.Counts;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Servers of a number, and clients that count, some through a front-end as users do. What these
 * were told has to be linearizable, and they must be answered in the end.
 */
final class CountingWorld extends ConsensusWorld {
  private static final long MILLI = 1_000_000;
  private static final int CLIENTS = 3;
  private static final int LOG_MIN_BYTES = 2_000;
  private static final int PROGRESS_MIN = 10;
  private static final int PAUSE_MAX_MILLIS = 20;
  private static final int LONG_PAUSE_MAX_MILLIS = 150;

  /** The same where each update waits for disks, which may be slow. */
  private static final int PROGRESS_ON_DISKS_MIN = 5;

  private static final int LINEARIZABLE_PERCENT = 30;
  private static final int LEASE_PERCENT = 50;

  /** Of these. */
  private static final int LOCAL_PERCENT = 50;

  /** Apart from all else, and so that seeds that kill mutants keep their worlds. */
  private static final long LOCAL_DRAW = 70;

  private static final int BY_PRIMARY_PERCENT = 15;

  /** Of those that may. */
  private static final int FAST_PERCENT = 80;

  /** Apart from all else, as that one. */
  private static final long FAST_DRAW = 71;

  /**
   * For so much longer where something goes on being wrong: servers that are busy for longer than a
   * leader has take turns, and so do those that all came to something else. They have to come on,
   * though not as fast as others.
   */
  private static final long LONGER_NANOS = 4_000 * MILLI;

  /** The same where others have to be forgotten before a new client has room. */
  private static final long FORGETTING_NANOS = 8_000 * MILLI;

  /** Several times as long as a leader has, until all are more patient. */
  private static final int BUSY_MAX_MILLIS = 250;

  /** In every other of those worlds: many times as long as a leader may be silent. */
  private static final int BUSY_LONG_MAX_MILLIS = 1_500;

  /** There, one update after the other may take that long. */
  private static final int PROGRESS_WHILE_BUSY_MIN = 2;

  /** What is wrong with one server until it starts again. */
  enum Oddity {
    NONE,
    /** It lacks a method. */
    OLDER,
    /** It draws random numbers of its own. */
    NOT_DETERMINISTIC
  }

  private final List<CountingClient> clients = new ArrayList<>();
  private final CountingFrontEnd frontEnd;
  private final CountingHistory history = new CountingHistory();
  private final Oddity oddity;
  private final ConsensusLimits limits;

  /** So many of the updates that a server executes hold it up. */
  private final int busyPercent;

  /**
   * Draws one.
   *
   * @param listener is handed every line of the trace; null for none
   */
  CountingWorld(long seed, @Nullable Consumer<String> listener) {
    super(seed, random -> drawOrder(seed, random), listener);
    this.oddity =
        switch ((int) Math.floorMod(seed, 12L)) {
          case 3 -> Oddity.OLDER;
          case 9 -> Oddity.NOT_DETERMINISTIC;
          default -> Oddity.NONE;
        };
    this.busyPercent = random().chance(25) ? random().between(1, 20) : 0;
    this.limits = drawServers(1, LOG_MIN_BYTES);
    for (int client = 0; client < CLIENTS; client++) {
      clients.add(new CountingClient(this, size() + client, random().split()));
    }
    this.frontEnd = new CountingFrontEnd(this, size() + CLIENTS, random().split());
  }

  private static Order.ByConsensus drawOrder(long seed, Randomness random) {
    Executes executes =
        switch ((int) Math.floorMod(seed, 3L)) {
          case 0 -> Executes.ALL;
          case 1 -> Executes.LEADER;
          default -> Executes.ANY;
        };
    Order.ByConsensus order =
        new Order.ByConsensus(executes, drawReads(seed, random), ConsensusDisk.drawLog(random));
    return new Randomness(Randomness.mix(seed + 3)).chance(BY_PRIMARY_PERCENT)
        ? byPrimary(order)
        : drawBallots(seed, order);
  }

  private static Order.ByConsensus drawBallots(long seed, Order.ByConsensus order) {
    boolean mayBeFast =
        order.executes() == Executes.ALL
            && !order.stores()
            && order.reads() != Reads.LEASE
            && order.reads() != Reads.LOCAL;
    boolean isFast =
        mayBeFast && new Randomness(Randomness.mix(seed + FAST_DRAW)).chance(FAST_PERCENT);
    return isFast ? order.withBallots(Ballots.FAST) : order;
  }

  private static Order.ByConsensus byPrimary(Order.ByConsensus order) {
    boolean byLease = order.reads() == Reads.LEASE || order.reads() == Reads.LOCAL;
    Reads reads = byLease ? Reads.LINEARIZABLE : order.reads();
    return new Order.ByConsensus(order.executes(), reads, Order.ByConsensus.Log.MEMORY, Quorum.ALL);
  }

  private static Reads drawReads(long seed, Randomness random) {
    int percent = random.below(100);
    if (percent < LINEARIZABLE_PERCENT) {
      return Reads.LINEARIZABLE;
    }
    if (percent < LINEARIZABLE_PERCENT + LEASE_PERCENT) {
      return new Randomness(Randomness.mix(seed + LOCAL_DRAW)).chance(LOCAL_PERCENT)
          ? Reads.LOCAL
          : Reads.LEASE;
    }
    return random.chance(60) ? Reads.SESSION : Reads.STALE;
  }

  /** In its first life a server may host what others do not. */
  @Override
  ServiceInstance service(ConsensusServer server) {
    Runnable work = () -> work(server);
    return switch (server.isOdd() ? oddity : Oddity.NONE) {
      case NONE ->
          ServiceInstance.of(Counting.class, state -> new CountingService(state, work, null));
      case OLDER ->
          ServiceInstance.of(OlderCounting.class, state -> new OlderCountingService(state, work));
      case NOT_DETERMINISTIC -> {
        Randomness own = new Randomness(server.id());
        yield ServiceInstance.of(Counting.class, state -> new CountingService(state, work, own));
      }
    };
  }

  private boolean isBusyForLong() {
    return busyPercent % 2 == 1;
  }

  /** What an update takes. */
  private void work(ConsensusServer server) {
    int millisMax = isBusyForLong() ? BUSY_LONG_MAX_MILLIS : BUSY_MAX_MILLIS;
    long nanos = random().chance(busyPercent) ? random().below(millisMax) * MILLI : 0;
    if (nanos > 0) {
      server.executesFor(nanos);
    }
  }

  @Override
  void perform(ConsensusServer server, Effect effect) {
    switch (effect) {
      case Effect.Suspended(String why) when oddity == Oddity.OLDER ->
          trace(server.name(), "is suspended: " + why);
      case Effect.OutcomeDiffers(String method, var leader)
          when oddity == Oddity.NOT_DETERMINISTIC ->
          trace(server.name(), "came to something else than " + leader + " by " + method);
      case Effect.Resumed resumed -> trace(server.name(), "goes on");
      default ->
          throw new Violation.Found(
              new Violation(Violation.Kind.THREW, server.name() + " wants " + effect));
    }
  }

  @Override
  void received(int client, int from, Message message) {
    if (client < CLIENTS) {
      clients.get(client).received(message);
    } else {
      frontEnd.received(from, message);
    }
  }

  @Override
  void begin() {
    clients.forEach(client -> after(random().below(300) * MILLI, client::ask));
    frontEnd.begin();
  }

  /** An older server becomes as the others are. */
  @Override
  void healed() {
    ConsensusServer first = servers().getFirst();
    if (oddity == Oddity.OLDER && first.isOdd()) {
      if (faults().mayKill()) {
        first.kill(false);
        after(100 * MILLI, first::start);
      } else {
        after(50 * MILLI, this::healed);
      }
    }
  }

  @Override
  long longerNanos() {
    boolean goesOn = busyPercent > 0 || oddity == Oddity.NOT_DETERMINISTIC;
    boolean isOneBusyForLong = isBusyForLong() && order().isByPrimary(); // It executes all.
    long longer = isOneBusyForLong ? 3 * LONGER_NANOS : goesOn ? LONGER_NANOS : 0;
    return limits.areForFewClients() ? longer + FORGETTING_NANOS : longer;
  }

  @Override
  List<Violation> violations() {
    List<Violation> found = new ArrayList<>();
    history
        .wrong(order().reads())
        .forEach(each -> found.add(new Violation(Violation.Kind.OUT_OF_ORDER, each)));
    if (limits.areForFewClients()) { // Of others reads are answered, at least.
      long updates = history.updatesAnswered(PROGRESS_FROM_NANOS);
      found.addAll(stuck("clients that update", updates, updaters() > 0 ? 1 : 0));
    } else if (!history.endsWithAnswers()) { // To take over may take a while.
      found.addAll(stuck("clients", history.answered(PROGRESS_FROM_NANOS), progressMin()));
    }
    found.addAll(diverged());
    found.addAll(frontEnd.wrong());
    return found;
  }

  @Override
  int clients() {
    return CLIENTS + 1;
  }

  /** How much has to be answered at least. */
  private int progressMin() {
    if (isBusyForLong()) { // Clients may give up before one method ends.
      return limits.forgetsSoon() ? 0 : PROGRESS_WHILE_BUSY_MIN;
    }
    return order().stores() ? PROGRESS_ON_DISKS_MIN : PROGRESS_MIN;
  }

  private long updaters() {
    return clients.stream().filter(CountingClient::updates).count();
  }

  @Override
  Counts counts() {
    List<CountingHistory.Operation> all = history.operations();
    long updates = all.stream().filter(each -> each.isUpdate).count();
    long unknown = all.stream().filter(each -> each.givenUp).count();
    long acknowledged = all.stream().filter(each -> each.isUpdate && each.value >= 0).count();
    return counts(
        CLIENTS + CountingFrontEnd.CALLERS,
        updates,
        all.size() - updates,
        0,
        unknown,
        acknowledged,
        0);
  }

  /** Between two requests of a client: longer in some worlds, where votes come to something. */
  int pauseMaxMillis() {
    return order().isFast() && seed() % 2 == 0 ? LONG_PAUSE_MAX_MILLIS : PAUSE_MAX_MILLIS;
  }

  /** How often somebody knew an answer by votes. */
  int answeredByVotes() {
    return frontEnd.chosen() + clients.stream().mapToInt(CountingClient::chosen).sum();
  }

  ConsensusLimits limits() {
    return limits;
  }

  Oddity oddity() {
    return oddity;
  }

  CountingHistory history() {
    return history;
  }
}
