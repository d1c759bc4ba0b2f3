package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.simulator.Report.Counts;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in one thread and in virtual time, everything in it drawn from one seed.
 *
 * <pre>{@code
 * World world = World.of(seed).replicas(3, 6).loss(0, 20).scenario(Scenario.BURN);
 * world.load();
 * world.heal();
 * assertThat(world.violations()).isEmpty();
 * }</pre>
 *
 * <p>Ranges say between which bounds the seed chooses, both included; they can be given until
 * {@link #load} only. Not thread-safe; worlds share nothing.
 */
public final class World {
  private static final int TRACE_TAIL_LINES = 400;

  /**
   * Longer than replicas wait for one that had state and is gone, and thousands of gossip rounds:
   * what is not done by then never will be.
   */
  private static final long PROGRESS_MAX_MILLIS = 90_000;

  /**
   * And so many rounds more for each entry that waits: a repair may have room for one or two, and
   * each of the others goes through all of them by itself.
   */
  private static final int ROUNDS_PER_ENTRY = 16;

  /** Longer than anything written lives that has an end. */
  private static final long EXPIRES_MILLIS = 4_000;

  private static final long LOOK_EVERY_MILLIS = 50;
  private static final long NOTE_EXECUTED_EVERY_MILLIS = 250;
  private static final long STRAGGLER_USUAL_MAX_NANOS = 800_000_000L;

  /** In every so many worlds one replica executes an update, any; in the others all do. */
  static final long EXECUTES_ANY_EVERY = 3;

  /** In every so many worlds replicas write checkpoints. */
  static final long CHECKPOINTS_EVERY = 4;

  /** In every so many worlds of bad clocks one of them stands still for long. */
  private static final long STANDS_STILL_EVERY = 7;

  /** Longer than progress may take. */
  private static final int STANDS_STILL_MILLIS = 100_000;

  /** Long after whoever sent it has forgotten why. */
  private static final long STRAGGLER_MAX_NANOS = 10_000_000_000L;

  private static final int LITTLE_MEMORY_PERCENT = 27;
  private static final Range MUCH_MEMORY =
      new Range(
          (int) (Parameters.MUCH_MEMORY_BYTES >> 10), (int) (Parameters.MUCH_MEMORY_BYTES >> 10));

  private final long seed;
  private final Randomness random;
  private final Agenda agenda = new Agenda();
  private final boolean settlesApart;
  private Scenario scenario;
  private Range replicas = new Range(2, 5);
  private Range frontEnds = new Range(1, 4);
  private Range clients;
  private Range operations = new Range(10, 40);
  private Range loss = new Range(0, 30);
  private Range duplicates;
  private Range damage = new Range(0, 2);
  private Range reunionMillis;
  private Range unsettledMaxKilobytes;
  private Cluster.Machines machines = Cluster.Machines.production();
  private boolean adopts;
  private int stillMillis;
  private Supplier<Workload> workloads;
  private @Nullable Consumer<String> listener;
  private @Nullable Running running;

  /** What exists once it runs. */
  private record Running(Cluster cluster, Faults faults, Trace trace) {}

  private World(long seed, boolean collections) {
    this.seed = seed;
    this.random = new Randomness(Randomness.mix(seed));
    this.workloads = seed % EXECUTES_ANY_EVERY == 0 ? Luck::ledger : LedgerWorkload::new;
    this.scenario = Evenly.SCENARIO.pick(List.of(Scenario.values()), seed);
    this.settlesApart = Draw.settlesApart(seed, collections);
    this.reunionMillis =
        settlesApart
            ? new Range(0, 1_500)
            : new Range(Parameters.LONG_REUNION_MILLIS, Parameters.LONG_REUNION_MILLIS);
    this.clients = Draw.keepsFewAnswers(seed) ? new Range(2, 5) : new Range(1, 3);
    this.duplicates = Draw.keepsFewAnswers(seed) ? new Range(15, 45) : new Range(0, 5);
    this.unsettledMaxKilobytes =
        Evenly.LITTLE_MEMORY.chance(LITTLE_MEMORY_PERCENT, seed) ? new Range(1, 8) : MUCH_MEMORY;
  }

  /**
   * A world with the usual ranges, and one of the scenarios. In every third, one replica executes
   * each update, any, and the others apply what it wrote.
   */
  public static World of(long seed) {
    return new World(seed, false);
  }

  /**
   * A world without front-ends, whose processes write into collections by themselves, have a new id
   * in each life, and are told who is there.
   */
  public static World ofCollections(long seed) {
    return new World(seed, true).workload(CollectionsWorkload::new).operations(5, 25);
  }

  /** How many replicas there are. */
  public World replicas(int min, int max) {
    replicas = checked(new Range(min, max), 2, 64);
    return this;
  }

  /** How many front-ends there are. */
  public World frontEnds(int min, int max) {
    frontEnds = checked(new Range(min, max), 1, 64);
    return this;
  }

  /** How many clients each front-end has; each asks for one thing after the other. */
  public World clients(int min, int max) {
    clients = checked(new Range(min, max), 1, 64);
    return this;
  }

  /** How many things each client asks for. */
  public World operations(int min, int max) {
    operations = checked(new Range(min, max), 0, 100_000);
    return this;
  }

  /** How many percent of all datagrams are lost. */
  public World loss(int minPercent, int maxPercent) {
    loss = checked(new Range(minPercent, maxPercent), 0, 90);
    return this;
  }

  /** How many percent of all datagrams arrive twice. */
  public World duplicates(int minPercent, int maxPercent) {
    duplicates = checked(new Range(minPercent, maxPercent), 0, 90);
    return this;
  }

  /** How many percent of all datagrams arrive damaged. */
  public World damage(int minPercent, int maxPercent) {
    damage = checked(new Range(minPercent, maxPercent), 0, 90);
    return this;
  }

  /** What goes wrong. */
  public World scenario(Scenario chosen) {
    notYetRunning();
    scenario = chosen;
    return this;
  }

  /** Whether replicas give up what others lack; some promises hold only if they do not. */
  public World adopts(boolean gives) {
    notYetRunning();
    adopts = gives;
    return this;
  }

  /** Who is handed every line of the trace as it happens. */
  public World listener(Consumer<String> reader) {
    notYetRunning();
    listener = reader;
    return this;
  }

  World machines(Cluster.Machines chosen) {
    notYetRunning();
    machines = chosen;
    return this;
  }

  /** For how long replicas wait for those who left. */
  World reunionMillis(int millis) {
    notYetRunning();
    reunionMillis = new Range(millis, millis);
    return this;
  }

  /** How much replicas keep that is unsettled before they are full, in KiB. */
  World unsettledMaxKilobytes(int min, int max) {
    unsettledMaxKilobytes = checked(new Range(min, max), 1, MUCH_MEMORY.max());
    return this;
  }

  World workload(Supplier<Workload> chosen) {
    notYetRunning();
    workloads = chosen;
    return this;
  }

  private Range checked(Range range, int min, int max) {
    notYetRunning();
    if (range.min() < min || range.max() > max) {
      throw new IllegalArgumentException(
          "choose from " + min + " to " + max + ", not " + range.min() + " to " + range.max());
    }
    return range;
  }

  private void notYetRunning() {
    if (running != null) {
      throw new IllegalStateException("the world runs already: say so before load()");
    }
  }

  /** The seed that it is drawn from. */
  public long seed() {
    return seed;
  }

  /** What goes wrong in it. */
  public Scenario scenario() {
    return scenario;
  }

  /**
   * Starts everything, and lets clients ask for all that they want while things go wrong.
   *
   * @throws RuntimeException naming what was broken, if it was found at once
   */
  public void load() {
    notYetRunning();
    Trace trace = Trace.of(agenda, TRACE_TAIL_LINES, listener);
    Workload workload = workloads.get();
    boolean standsStill = scenario == Scenario.CLOCKS && seed % STANDS_STILL_EVERY == 0;
    stillMillis = standsStill ? STANDS_STILL_MILLIS : 0;
    Parameters parameters =
        Draw.parameters(
            random,
            seed,
            scenario,
            draw(replicas),
            workload.writes() ? 0 : draw(frontEnds),
            draw(reunionMillis) + 2 * stillMillis, // Nobody settles without it.
            adopts,
            (long) draw(unsettledMaxKilobytes) << 10,
            network());
    Cluster cluster = new Cluster(parameters, workload, random.split(), agenda, trace, machines);
    cluster.sheds(Shedding.of(seed));
    boolean comesBack = machines.replicas().comesBack();
    boolean findEachOther = Draw.findEachOther(seed, settlesApart) && comesBack;
    int absentMillis = workload.writes() || findEachOther ? parameters.forgetsAfterMillis() : 0;
    int apartMillis =
        findEachOther && parameters.reunionMillis() < Parameters.LONG_REUNION_MILLIS
            ? parameters.settlesApartAfterMillis()
            : 0;
    int loadMillis = random.between(3_000, 9_000) + absentMillis + apartMillis + stillMillis;
    if (seed % CHECKPOINTS_EVERY == 0 && comesBack) {
      for (ReplicaProcess replica : cluster.replicas()) {
        replica.writesTo(new ReplicaDisk(cluster, replica, random.split()));
      }
    }
    if (findEachOther) {
      cluster.findEachOther(Membership.settings(random.split(), cluster.replicas().size()));
    }
    Faults faults = new Faults(cluster, random.split(), loadMillis);
    running = new Running(cluster, faults, trace);
    faults.plan(scenario);
    if (absentMillis > 0) {
      faults.sleepLong(absentMillis);
    }
    if (standsStill) {
      faults.suspendLong(stillMillis);
    }
    for (FrontEndProcess frontEnd : cluster.frontEnds()) {
      int count = draw(clients);
      for (int i = 0; i < count; i++) {
        Client.start(cluster, frontEnd, random.split(), draw(operations), loadMillis);
      }
    }
    if (workload.writes()) {
      startWriters(cluster, loadMillis);
    }
    noteExecutedAgainAndAgain(cluster);
    cluster.runMillis(loadMillis);
  }

  private void startWriters(Cluster cluster, int loadMillis) {
    for (ReplicaProcess process : cluster.replicas()) {
      Writer.start(cluster, process, random.split(), draw(operations), loadMillis);
    }
    if (!cluster.findEachOther()) {
      new Views(cluster, random.split()).watch();
    }
    Bursts.plan(cluster, seed, loadMillis);
  }

  private int draw(Range range) {
    return range.draw(random);
  }

  private Network.Conditions network() {
    return new Network.Conditions(
        draw(loss),
        draw(duplicates),
        draw(damage),
        random.between(20_000L, 2_000_000L),
        random.between(10_000L, 5_000_000L),
        random.chance(30) ? random.between(1, 5) : 0,
        random.chance(80) ? STRAGGLER_USUAL_MAX_NANOS : STRAGGLER_MAX_NANOS);
  }

  private static void noteExecutedAgainAndAgain(Cluster cluster) {
    cluster.replicas().forEach(ReplicaProcess::noteExecuted);
    cluster.compareStates();
    if (cluster.workload().writes()) {
      cluster.handles().compare();
      cluster.handles().take(cluster.random().pick(cluster.replicas()));
    }
    cluster.at(
        cluster.nowNanos() + NOTE_EXECUTED_EVERY_MILLIS * 1_000_000,
        () -> noteExecutedAgainAndAgain(cluster));
  }

  /**
   * Ends all that goes wrong, half of the loss excepted, and demands progress: clients get their
   * answers, replicas come to rest with nothing left to exchange.
   *
   * @throws RuntimeException naming what did not make progress
   */
  public void heal() {
    Running now = running();
    Cluster cluster = now.cluster();
    now.faults().heal();
    Network.Conditions healed = cluster.parameters().network().healed();
    cluster.network().conditions(healed);
    demandState(cluster);
    for (ReplicaProcess older : cluster.replicas()) {
      if (older.isOlder()) { // The last one still has what nobody else could execute.
        older.changeRelease();
        demandState(cluster);
      }
    }
    now.faults().restartThoseFarAhead(); // Who was one of most may be alone with it by now.
    demandState(cluster);
    demand("everybody is told of everybody", () -> !cluster.viewsChange() || allTold(cluster));
    demand(
        "every request has ended",
        () -> cluster.history().operations().stream().noneMatch(Operation::isOpen));
    demand(
        "there is room for new requests",
        () -> !cluster.parameters().hasLittleMemory() || isAtRest(cluster));
    if (cluster.parameters().hasLittleMemory()) { // And for new clients once others are forgotten.
      cluster.runMillis(Math.min(20_000, 3 * cluster.parameters().memory().atMostMillis()));
    }
    cluster.runMillis(stillMillis); // Others may have taken that time, and clients seen later ones.
    Probes probes = new Probes(cluster, now.faults().lostTime());
    demand("new requests end", probes::haveEnded);
    if (!probes.unanswered().isEmpty()) {
      throw stuck("a new request after everything was healed ended as " + probes.unanswered());
    }
    if (cluster.workload().writes()) {
      int all = cluster.replicas().size();
      cluster.replicas().forEach(replica -> replica.write(all, 0));
      cluster.runMillis(EXPIRES_MILLIS);
      demand("all that waits for others to have it goes on", cluster.ackedWrites()::areEnded);
      demand(
          "no writer waits any more",
          () -> cluster.replicas().stream().noneMatch(each -> each.machine().isAhead()));
    }
    demand("all replicas agree and everything has settled", () -> isAtRest(cluster));
    cluster.compareStates();
    demand(
        "all have seen what each has",
        () -> !cluster.workload().writes() || cluster.handles().areSeenByAll());
    if (violations().stream().anyMatch(each -> each.kind() == Violation.Kind.LOST)) {
      cluster.runUntilGivenUpIsSaid();
    }
  }

  /**
   * Demands that all replicas come to the same state, which one that repairs itself takes time to.
   */
  void reunite() {
    List<ReplicaProcess> replicas = running().cluster().replicas();
    demand(
        "all replicas have the same state",
        () ->
            replicas.stream()
                .map(replica -> replica.machine().version())
                .allMatch(replicas.getFirst().machine().version()::equals));
  }

  private static boolean allTold(Cluster cluster) {
    for (ReplicaProcess replica : cluster.replicas()) {
      SortedMap<Long, Address> told = replica.told();
      if (told == null || told.size() != cluster.replicas().size()) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAtRest(Cluster cluster) {
    var first = cluster.replicas().getFirst().machine().status();
    return cluster.replicas().stream()
        .map(replica -> replica.machine().status())
        .allMatch(status ->
            status.unsettled() == 0
                && status.executed() == first.executed()
                && status.hash() == first.hash());
  }

  private void demandState(Cluster cluster) {
    demand(
        "every replica has state",
        () -> cluster.replicas().stream().allMatch(ReplicaProcess::isActive));
  }

  private void demand(String what, BooleanSupplier reached) {
    long maxMillis = PROGRESS_MAX_MILLIS + repairMaxMillis();
    long untilNanos = agenda.nowNanos() + maxMillis * 1_000_000;
    while (!reached.getAsBoolean()) {
      if (agenda.nowNanos() > untilNanos) {
        throw stuck(
            "not within "
                + maxMillis / 1_000
                + " s after everything was healed: "
                + what
                + "; "
                + describeReplicas());
      }
      running().cluster().runMillis(LOOK_EVERY_MILLIS);
    }
  }

  private long repairMaxMillis() {
    Cluster cluster = running().cluster();
    long waiting =
        cluster.replicas().stream()
            .filter(ReplicaProcess::isActive)
            .mapToLong(each -> each.machine().status().unsettled())
            .max()
            .orElse(0);
    return ROUNDS_PER_ENTRY * waiting * cluster.parameters().gossipIntervalMillis();
  }

  private String describeReplicas() {
    return running().cluster().replicas().stream()
        .map(replica ->
            replica.name + " " + (replica.isActive() ? replica.machine().status() : "begins"))
        .toList()
        .toString();
  }

  private static Violation.Found stuck(String sentence) {
    return new Violation.Found(new Violation(Violation.Kind.STUCK, sentence));
  }

  /** What was broken, judged by everything that was seen; none if all promises were kept. */
  public List<Violation> violations() {
    Evidence evidence = evidence();
    return running().cluster().workload().checkers().stream()
        .flatMap(checker -> checker.check(evidence).stream())
        .toList();
  }

  Evidence evidence() {
    return Evidence.of(running().cluster());
  }

  /** The last lines of the trace. */
  public List<String> traceTail() {
    return running == null ? List.of() : running.trace().tail();
  }

  /** How much happened. */
  public Counts counts() {
    return running().cluster().counts();
  }

  private Running running() {
    if (running == null) {
      throw new IllegalStateException("the world does not run yet: call load() first");
    }
    return running;
  }
}
