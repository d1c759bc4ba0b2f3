package dev.tempest.simulator;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.log.Agreement;
import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.protocol.order.log.Group;
import dev.tempest.simulator.Report.Counts;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.Change;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that agree on a log, and nothing else, in one thread and by one seed: messages are lost,
 * doubled and late, and {@linkplain LogFaults much goes wrong}. Whoever serves is asked to put
 * entries into the log. No two may know different entries in one slot, and whoever serves has all
 * that was committed before it began; who may read alone has all that is committed. Then everything
 * heals, and all must come on.
 */
final class LogWorld {
  private static final long MILLI = 1_000_000;
  private static final long HEARTBEAT_NANOS = 20 * MILLI;
  private static final long ELECTION_NANOS = 60 * MILLI;
  private static final long FAULTS_UNTIL_NANOS = 4_000 * MILLI;
  private static final long PROGRESS_FROM_NANOS = 7_000 * MILLI;
  private static final long ENDS_NANOS = 10_000 * MILLI;
  private static final int HEALED_SLOWEST_MICROS = 5_000;
  private static final int ENTRY_MAX_BYTES = 400;
  private static final int BATCH_MAX_BYTES = 1_000;
  private static final int OVERTAKES_PERCENT = 10;

  /** What is on its way in the end, at most. */
  private static final int LAG_MAX = 200;

  private static final int BY_PRIMARY_PERCENT = 33;
  private static final int READ_ALONE_PERCENT = 50;

  /** Apart from all else, and so that seeds that kill mutants keep their worlds. */
  private static final long READ_ALONE_DRAW = 11;

  /** Of those where nobody reads alone, and nothing is stored. */
  private static final int FAST_PERCENT = 60;

  /** Apart from all else, as that one. */
  private static final long FAST_DRAW = 13;

  /** Of these so many have as many members as there may be. */
  private static final int LARGE_PERCENT = 30;

  private static final long LARGE_DRAW = 17;

  /** Of worlds whose members vote: some of these have members that do not. */
  private static final int MIXED_PERCENT = 15;

  private static final int CLASSIC_PERCENT = 40;
  private static final long MIXED_DRAW = 18;

  private static final int TRACE_TAIL_LINES = 400;

  private final long seed;
  private final Randomness random;
  private final Agenda agenda = new Agenda();
  private final Trace trace;
  private final List<LogReplica> replicas = new ArrayList<>();
  private final List<SlotEntry> committed = new ArrayList<>();
  private final Map<LogFaults.Link, Long> arrivals = new LinkedHashMap<>();
  private final LogFaults faults;
  private final int batch;
  private final boolean shortens;
  private final boolean stores;
  private final Group.Leases leases;
  private final int slowestMicros;
  private final long slowDiskNanos;

  /** Who decides who leads; null if they elect a leader. */
  private final @Nullable LogViews views;

  /** Who sends updates to all, if these vote; null if they do not. */
  private final @Nullable LogClients clients;

  private Ballot servedBy = Ballot.NONE;
  private long proposed;
  private int committedBefore;
  private long steps;
  private long messages;
  private long lost;
  private int crashes;
  private int statesTaken;

  /**
   * Draws one.
   *
   * @param listener is handed every line of the trace; null for none
   */
  LogWorld(long seed, @Nullable Consumer<String> listener) {
    this.seed = seed;
    this.random = new Randomness(Randomness.mix(seed));
    this.trace = Trace.of(agenda, TRACE_TAIL_LINES, listener);
    this.slowestMicros = random.between(200, 60_000);
    this.batch = random.between(1, 20);
    this.shortens = random.chance(50);
    Randomness apart = new Randomness(Randomness.mix(seed + 1));
    boolean isByPrimary = apart.chance(BY_PRIMARY_PERCENT);
    this.stores = random.chance(50) && !isByPrimary;
    boolean readsAlone =
        new Randomness(Randomness.mix(seed + READ_ALONE_DRAW)).chance(READ_ALONE_PERCENT);
    this.leases = readsAlone && !isByPrimary ? Group.Leases.MEMBERS : Group.Leases.NONE;
    Randomness fast = new Randomness(Randomness.mix(seed + FAST_DRAW));
    boolean isFast =
        fast.chance(FAST_PERCENT) && !stores && !isByPrimary && leases == Group.Leases.NONE;
    this.clients = isFast ? new LogClients(this, fast) : null;
    this.slowDiskNanos = random.between(0, 2 * ELECTION_NANOS);
    int size = random.between(1, 5);
    boolean isLarge = isFast && large(seed); // There not all have to vote for the same.
    List<Long> members = LongStream.range(0, isLarge ? 5 : size).boxed().toList();
    this.views = isByPrimary ? new LogViews(this, members.size(), apart) : null;
    this.faults = new LogFaults(this, members);
    members.forEach(member -> start(views == null ? members : List.of()));
  }

  private static boolean large(long seed) {
    return new Randomness(Randomness.mix(seed + LARGE_DRAW)).chance(LARGE_PERCENT);
  }

  /** Runs it to its end. */
  Report run() {
    List<Violation> violations;
    try {
      faults.begin();
      if (clients != null) {
        clients.askLater();
        agenda.at(ENDS_NANOS - 1_000 * MILLI, clients::remember);
      } else {
        proposeLater();
      }
      agenda.at(FAULTS_UNTIL_NANOS, faults::heal);
      agenda.at(PROGRESS_FROM_NANOS, () -> committedBefore = committed.size());
      agenda.runUntil(ENDS_NANOS);
      violations = stuck();
    } catch (Violation.Found found) {
      violations = List.of(found.violation());
    }
    return violations.isEmpty()
        ? new Report.Passed(seed, Scenario.BURN, counts())
        : new Report.Failed(seed, Scenario.BURN, counts(), violations, trace.tail());
  }

  /** One more replica. */
  LogReplica start(List<Long> founders) {
    long syncNanos = random.chance(50) ? MILLI : slowDiskNanos;
    LogReplica replica = new LogReplica(this, replicas.size(), founders, new LogDisk(syncNanos));
    replicas.add(replica);
    replica.begin();
    return replica;
  }

  Group group(long id) {
    Quorum quorum = views == null ? Quorum.MAJORITY : Quorum.ALL;
    return new Group(
        id,
        quorum,
        HEARTBEAT_NANOS,
        ELECTION_NANOS,
        stores,
        leases,
        clients != null && !isClassic(id),
        batch,
        BATCH_MAX_BYTES);
  }

  private boolean isClassic(long id) {
    long draw = Randomness.mix(seed + MIXED_DRAW);
    return new Randomness(draw).chance(MIXED_PERCENT)
        && new Randomness(Randomness.mix(draw + id)).chance(CLASSIC_PERCENT);
  }

  /** Who decides who leads; null if they elect a leader. */
  @Nullable LogViews views() {
    return views;
  }

  /** Who should be members, or have a copy. */
  List<Long> wanted() {
    return faults.members();
  }

  List<LogReplica> replicas() {
    return replicas;
  }

  LogReplica replica(int index) {
    return replicas.get(index);
  }

  Randomness random() {
    return random;
  }

  long nowNanos() {
    return agenda.nowNanos();
  }

  boolean isHealed() {
    return agenda.nowNanos() >= FAULTS_UNTIL_NANOS;
  }

  /** Whether replicas store what binds them, and so may crash. */
  boolean stores() {
    return stores;
  }

  /** Whether logs are shortened, so that some lack what is in a state only. */
  boolean shortens() {
    return shortens;
  }

  void after(long nanos, Runnable what) {
    agenda.after(nanos, what);
  }

  void trace(String node, String text) {
    trace.add(node, text);
  }

  void stepped() {
    steps++;
  }

  void crashed(LogReplica replica) {
    trace(replica.name(), "crashes");
    crashes++;
  }

  void takesState(LogReplica replica, long slot) {
    trace(replica.name(), "takes the state at slot " + slot);
    statesTaken++;
  }

  /** How often a state took the place of a log. */
  int statesTaken() {
    return statesTaken;
  }

  /** All that any replica has said is in the log for good. */
  List<SlotEntry> committed() {
    return committed;
  }

  /** Who sends updates to all, if these vote; null if they do not. */
  @Nullable LogClients clients() {
    return clients;
  }

  /** A replica has voted for an update of a client, and says so. */
  void voted(LogReplica replica, LogMessage.Vote vote, int needed, SlotEntry.Called entry) {
    trace.add(replica.name(), vote.hashCode(), () -> "votes for " + entry.id() + ": " + vote);
    Objects.requireNonNull(clients).voted(replica, vote, needed, entry);
  }

  /** The state before a slot. */
  LogPoint pointAt(long slot) {
    long hash = 0;
    for (int each = 0; each < slot && clients != null; each++) {
      hash += Agreement.hash(committed.get(each), each);
    }
    for (int each = (int) slot - 1; each >= 0; each--) {
      if (committed.get(each) instanceof SlotEntry.Members(var these)) {
        return new LogPoint(slot, these, 0, 0, hash);
      }
    }
    return new LogPoint(slot, List.of(), 0, 0, 0); // A primary begins before it says with whom.
  }

  /** A replica says what is in a slot for good. */
  void commits(LogReplica replica, long slot, SlotEntry entry) {
    trace.add(replica.name(), entry.hashCode(), () -> "knows slot " + slot + ": " + entry);
    if (slot != replica.length()) {
      throw found(
          Violation.Kind.OUT_OF_ORDER,
          "%s knows slot %d after %d of them".formatted(replica.name(), slot, replica.length()));
    }
    if (slot == committed.size()) {
      committed.add(entry);
      if (clients != null) {
        clients.commits(slot, entry);
      }
      replicas.forEach(this::checkRead);
    }
    SlotEntry known = committed.get((int) slot);
    if (!entry.equals(known)) {
      throw found(
          Violation.Kind.DIVERGED,
          "%s has %s in slot %d, where another one has %s"
              .formatted(replica.name(), entry, slot, known));
    }
  }

  /** Whether it may read alone and lacks something. */
  void checkRead(LogReplica replica) {
    if (replica.readsWithout(committed.size() - 1)) {
      throw found(
          Violation.Kind.LOST,
          "%s reads alone, and lacks some of %d slots that are committed"
              .formatted(replica.name(), committed.size()));
    }
  }

  /** Whoever serves has all that was committed before it began. */
  void serves(LogReplica replica, Ballot ballot, long knows) {
    if (!servedBy.isBelow(ballot)) {
      return;
    }
    trace(replica.name(), "serves by " + ballot);
    servedBy = ballot;
    if (knows < committed.size() || (clients != null && knows < clients.known())) {
      throw found(
          Violation.Kind.LOST,
          "%s serves by %s and knows %d slots, where %d are committed"
              .formatted(replica.name(), ballot, knows, committed.size()));
    }
  }

  /** A message arrives sometime, twice, or never. */
  void send(int from, int to, LogMessage.OfBallot message) {
    int copies = faults.copies();
    lost += copies == 0 ? 1 : 0;
    int slowest = isHealed() ? Math.min(slowestMicros, HEALED_SLOWEST_MICROS) : slowestMicros;
    for (int copy = 0; copy < copies; copy++) {
      long arrival = agenda.nowNanos() + random.below(slowest) * 1_000L;
      if (!random.chance(OVERTAKES_PERCENT)) {
        LogFaults.Link link = new LogFaults.Link(from, to);
        arrival = Math.max(arrival, arrivals.getOrDefault(link, 0L));
        arrivals.put(link, arrival);
      }
      agenda.at(arrival, () -> arrive(from, to, message));
    }
    long straggles = faults.straggles();
    if (straggles > 0) {
      agenda.after(straggles, () -> arrive(from, to, message));
    }
  }

  private void arrive(int from, int to, LogMessage.OfBallot message) {
    if (!faults.isCut(from, to)) {
      messages++;
      LogReplica receiver = replicas.get(to);
      trace.add(receiver.name(), message.hashCode(), () -> "from p" + from + ": " + message);
      receiver.step(new Event.Received(agenda.nowNanos(), from, message));
    }
  }

  /** With pauses: until then nobody new comes in whose disk is much slower than the others. */
  private void proposeLater() {
    long pauseNanos = random.chance(2) ? 10 * ELECTION_NANOS : 0;
    agenda.after(
        pauseNanos + random.between(0, 20 * MILLI),
        () -> {
          for (LogReplica replica : replicas) {
            if (replica.serves() && random.chance(67)) {
              replica.step(new Event.Propose(agenda.nowNanos(), entry(replica)));
            }
          }
          proposeLater();
        });
  }

  private SlotEntry entry(LogReplica replica) {
    Change change = new Change(Bytes.of(new byte[random.below(ENTRY_MAX_BYTES)]));
    RequestId id = new RequestId(replica.id(), ++proposed);
    return new SlotEntry.Proposed(id, agenda.nowNanos() / MILLI, 0, change);
  }

  private List<Violation> stuck() {
    if (committed.size() <= committedBefore) {
      return List.of(stuck("nothing is committed after everything was healed"));
    }
    if (views != null && !views.isSettled()) {
      return List.of(stuck("views have not come to an end: " + views.latest()));
    }
    List<Violation> found = new ArrayList<>();
    for (long member : faults.members()) {
      LogReplica replica = replicas.get((int) member);
      if (views != null && !views.latest().members().contains(member)) {
        continue; // It has no copy.
      }
      if (views == null && !faults.areWanted(replica.members())) {
        found.add(
            stuck(
                "%s has members %s, where %s are wanted"
                    .formatted(replica.name(), replica.members(), faults.members())));
      }
      if (committed.size() - replica.length() > LAG_MAX) {
        found.add(
            stuck(
                "%s knows %d slots, where %d are committed"
                    .formatted(replica.name(), replica.length(), committed.size())));
      }
    }
    if (clients != null) {
      found.addAll(clients.lost(committed.size()));
    }
    return found;
  }

  private static Violation stuck(String sentence) {
    return new Violation(Violation.Kind.STUCK, sentence);
  }

  private static Violation.Found found(Violation.Kind kind, String sentence) {
    return new Violation.Found(new Violation(kind, sentence));
  }

  private Counts counts() {
    return new Counts(
        replicas.size(),
        0,
        steps,
        agenda.nowNanos() / MILLI,
        proposed,
        0,
        0,
        0,
        messages,
        lost,
        0,
        crashes,
        0,
        0,
        committed.size(),
        0,
        0,
        trace.hash());
  }
}
