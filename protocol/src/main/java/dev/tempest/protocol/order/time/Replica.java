package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Answers;
import dev.tempest.protocol.ClientTable;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.Stamp;
import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Version;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.MalformedException;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.Have;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.Message.ReplicaMessage;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.RequestMessage;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.Message.Snapshot;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Message.StateTransfer;
import dev.tempest.wire.Message.StateUnavailable;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.Message.Want;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a service ordered by time: executes every update that reaches it, and by gossip
 * gets and gives what the network lost (Tempest, sections 3.1 and 3.2; the invocations travel where
 * the paper's objects did).
 *
 * <p>Guarantees that an update executed by one live replica is in time executed by all, each
 * exactly once in its place in the order (stamp, request), so that all come to the same state. A
 * reply tells what was executed so far: an update with an earlier stamp that arrives later can
 * still change what a read will see. Does not detect failures and does not change its view.
 *
 * <p>Not thread-safe: its owner calls {@link #step} from one thread.
 */
public final class Replica {
  /**
   * Beyond so many unsettled entries new requests are refused: a replica that is away keeps entries
   * from settling.
   */
  static final int UNSETTLED_MAX = 2_000_000;

  /** The largest state that a transfer carries. */
  static final int STATE_BYTES_MAX = 200 << 20;

  /** A request that took longer is taken for lost, unless others take longer too. */
  private static final int ON_THE_WAY_MILLIS = 50;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final List<Long> others;
  private final AntiEntropy antiEntropy;
  private final Agreement agreement;
  private final SplittableRandom random;

  private Window window;
  private @Nullable Joining joining;
  private long nextGossipNanos;
  private long askStateAgainNanos;
  private long nowNanos;
  private long lagNanos;
  private long repaired;
  private long reads;

  /** A replica without state, which first asks the others of its view for theirs. */
  public Replica(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
    this.settings = settings;
    this.service = service;
    this.others = settings.view().keySet().stream().filter(id -> id != settings.self()).toList();
    this.antiEntropy = new AntiEntropy(settings.service(), settings.self());
    this.agreement = new Agreement(others);
    this.random = new SplittableRandom(seed);
    this.nowNanos = nowNanos;
    this.window = window(service.emptyVersion(), new Prefix(-1, 0, 0), new ClientTable());
    this.joining =
        others.isEmpty() ? null : new Joining(others, settings.joinTimeoutMillis(), nowNanos);
    this.nextGossipNanos = nowNanos + random.nextLong(gossipIntervalNanos());
  }

  /** Takes an event, returns what has to be done about it. */
  public List<Effect> step(Event event) {
    nowNanos = Math.max(nowNanos, event.nowNanos());
    List<Effect> effects = new ArrayList<>(2);
    switch (event) {
      case Event.Tick tick -> tick(effects);
      case Event.Received(var now, var from, RequestMessage message) ->
          request(from, message, effects);
      case Event.Received(var now, var from, ReplicaMessage message) ->
          fromReplica(from, message, effects);
      case Event.Received(var now, var from, Message message) -> {} // Not a replica's.
      case Event.Written written -> throw new UnsupportedOperationException("soon");
      case Event.ViewChanged changed -> throw new UnsupportedOperationException("soon");
      case Event.Declared declared -> throw new UnsupportedOperationException("soon");
    }
    return effects;
  }

  /** When the next {@link Event.Tick} is due, on the clock of the events. */
  public long nextTickNanos() {
    return joining != null ? joining.nextTickNanos() : nextGossipNanos;
  }

  /** Whether it has state and serves. */
  public boolean isActive() {
    return joining == null;
  }

  /** The state after all entries. */
  public Version version() {
    return window.version();
  }

  /** The unsettled entries in order, for checkers. */
  public List<Entry> unsettled() {
    return window.entries();
  }

  /** Whether the update has been executed here. */
  public boolean hasExecuted(long client, long sequence) {
    return window.contains(new RequestId(client, sequence));
  }

  /** Counts for people. */
  public ServiceStatus status(String name) {
    Prefix all = window.through(Long.MAX_VALUE);
    return new ServiceStatus(
        name,
        isActive(),
        all.count(),
        all.hash(),
        window.settled().throughEpoch(),
        window.size(),
        window.late(),
        window.rerun(),
        repaired,
        reads);
  }

  /**
   * Checks what has to hold after every step; for simulations. Throws {@link AssertionError} if it
   * does not.
   */
  public void checkInvariants() {
    window.checkInvariants();
  }

  private void tick(List<Effect> effects) {
    if (joining != null) {
      join(joining, effects);
    } else if (nowNanos >= nextGossipNanos) {
      nextGossipNanos = nowNanos + gossipIntervalNanos();
      if (!others.isEmpty()) {
        send(others.get(random.nextInt(others.size())), digest(), effects);
      }
      settle();
      lagNanos /= 2; // What was late once is forgotten in a few rounds.
    }
  }

  // Requests.

  private void request(Address from, RequestMessage message, List<Effect> effects) {
    switch (message) {
      case Update update -> update(from, update, effects);
      case Read read -> read(from, read, effects);
      case Reply reply -> {} // For front-ends.
    }
  }

  private void update(Address from, Update update, List<Effect> effects) {
    Entry entry = update.entry();
    RequestId id = entry.id();
    window.clients().answered(id.client(), update.answeredBelow());
    if (update.attempt() == 0) {
      lagNanos = Math.max(lagNanos, nowNanos - Stamp.millis(entry.stamp()) * NANOS_PER_MILLI);
    }
    boolean duplicate = isActive() && window.contains(id);
    Answer answer = duplicate ? null : refusalOf(entry);
    if (answer == null && !duplicate) {
      answer = window.take(entry);
      agreement.changed(window.epochOf(entry));
    }
    int rank = Rendezvous.rank(id, settings.self(), settings.view().keySet());
    // A retry is answered by whoever executed the first sending, so that a lost reply costs one
    // round trip.
    if (rank < update.acks() + update.attempt() || (duplicate && update.attempt() > 0)) {
      reply(from, id, true, answer == null ? recorded(id) : answer, effects);
    }
  }

  /** Why a new request is not executed here; null if it is. */
  private @Nullable Answer refusalOf(Entry entry) {
    if (!isActive()) {
      return new Answer.Refused(Reason.JOINING, "this replica has no state yet");
    }
    long epoch = window.epochOf(entry);
    if (epoch <= closedThrough()) {
      return new Answer.Refused(
          Reason.STAMP_EXPIRED, "epoch " + epoch + " is closed through " + closedThrough());
    }
    if (Stamp.millis(entry.stamp()) > nowMillis() + settings.stampAheadMaxMillis()) {
      return new Answer.Refused(
          Reason.STAMP_AHEAD, "more than " + settings.stampAheadMaxMillis() + " ms ahead");
    }
    if (window.size() >= UNSETTLED_MAX) {
      return new Answer.Refused(
          Reason.OVERLOADED, UNSETTLED_MAX + " entries wait for all replicas to have them");
    }
    return null;
  }

  /** What a request that was executed answers now, if late entries changed it. */
  private Answer recorded(RequestId id) {
    Answer unsettled = window.answer(id);
    Answer answer = unsettled != null ? unsettled : window.clients().answer(id);
    return answer != null
        ? answer
        : new Answer.Refused(
            Reason.RESULT_FORGOTTEN, "executed, and the client has said that it has the answer");
  }

  private void read(Address from, Read read, List<Effect> effects) {
    reads++;
    Answer answer =
        isActive()
            ? Answers.of(
                service.read(
                    window.version(), read.call().method(), read.call().arguments(), nowMillis()))
            : new Answer.Refused(Reason.JOINING, "this replica has no state yet");
    reply(from, read.id(), false, answer, effects);
  }

  private void reply(
      Address to, RequestId id, boolean update, Answer answer, List<Effect> effects) {
    effects.add(
        new Effect.Send(
            to, new Reply(settings.service(), id, update, settings.self(), clock(), answer)));
  }

  // Gossip.

  private void fromReplica(Address from, ReplicaMessage message, List<Effect> effects) {
    if (message instanceof StateRequest) {
      stateRequested(from, effects); // Tools ask too, and are no members.
      return;
    }
    long other = message.replica();
    if (other == settings.self() || !settings.view().containsKey(other)) {
      return;
    }
    if (joining != null) {
      fromReplicaWhileJoining(joining, message, effects);
      return;
    }
    switch (message) {
      case Digest digest -> digest(digest, effects);
      case Have have -> have(have, effects);
      case Want want -> repair(other, antiEntropy.wanted(window, want.ids()), effects);
      case Repair repair -> insert(repair.entries());
      case StateTransfer transfer -> catchUp(transfer.snapshot());
      case StateUnavailable unavailable -> {} // Joined meanwhile from another one.
      case StateRequest request -> {} // Handled above.
    }
  }

  private void digest(Digest digest, List<Effect> effects) {
    Prefix theirs = digest.settled();
    if (theirs.throughEpoch() > window.settled().throughEpoch()) {
      if (!window.through(theirs.throughEpoch()).equals(theirs)) {
        askForState(digest.replica(), effects);
        return;
      }
      // All replicas agreed on it, this one included: only the news of it was missing here.
      window.settle(theirs.throughEpoch());
    } else if (theirs.throughEpoch() < window.settled().throughEpoch()) {
      send(digest.replica(), digest(), effects);
      return;
    }
    agreement.compare(digest.replica(), digest.closed(), window);
    var differences = antiEntropy.differences(window, digest, quietThrough());
    if (!differences.isEmpty()) {
      send(digest.replica(), new Have(settings.service(), settings.self(), differences), effects);
    }
  }

  private void have(Have have, List<Effect> effects) {
    var comparison = antiEntropy.compare(window, have.ranges());
    if (!comparison.weLack().isEmpty()) {
      send(have.replica(), antiEntropy.want(comparison.weLack()), effects);
    }
    repair(have.replica(), comparison.theyLack(), effects);
    comparison.unclear().stream()
        .map(range -> antiEntropy.byEpoch(window, range))
        .filter(ranges -> !ranges.isEmpty())
        .map(ranges -> new Have(settings.service(), settings.self(), ranges))
        .forEach(byEpoch -> send(have.replica(), byEpoch, effects));
  }

  private void repair(long other, List<Entry> entries, List<Effect> effects) {
    antiEntropy.repairs(entries).forEach(repair -> send(other, repair, effects));
  }

  private void insert(List<Entry> entries) {
    long earliest = Long.MAX_VALUE;
    for (Entry entry : entries) {
      earliest = Math.min(earliest, window.epochOf(entry));
    }
    repaired += window.insert(entries);
    agreement.changed(earliest);
  }

  private void settle() {
    long through = agreement.settles(closedThrough());
    if (through > window.settled().throughEpoch()) {
      window.settle(through);
    }
  }

  private Digest digest() {
    return antiEntropy.digest(window, closedThrough(), quietThrough());
  }

  /**
   * The last epoch whose requests have arrived here unless they are lost. What may still be on its
   * way, or wait in this replica's own queue, is not compared: to repair it would be work for
   * nothing, and most of it where there is least time.
   */
  private long quietThrough() {
    long lagMillis = Math.min(lagNanos / NANOS_PER_MILLI, closingMillis() / 2);
    return (nowMillis() - ON_THE_WAY_MILLIS - lagMillis) / settings.epochMillis() - 1;
  }

  // State.

  private void join(Joining join, List<Effect> effects) {
    if (join.startsEmpty(nowNanos)) {
      activate();
    } else if (join.asksNow(nowNanos)) {
      send(join.ask(nowNanos), new StateRequest(settings.service(), settings.self()), effects);
    }
  }

  private void fromReplicaWhileJoining(Joining join, ReplicaMessage message, List<Effect> effects) {
    switch (message) {
      case StateTransfer transfer -> {
        if (install(transfer.snapshot())) {
          activate();
        }
      }
      case StateUnavailable unavailable -> {
        join.hasNone(unavailable.replica(), nowNanos);
        join(join, effects);
      }
      case Digest digest -> join.hasState(digest.replica());
      case Have have -> join.hasState(have.replica());
      case Want want -> join.hasState(want.replica());
      case Repair repair -> join.hasState(repair.replica());
      case StateRequest request -> {} // Answered before.
    }
  }

  private void activate() {
    joining = null;
    nextGossipNanos = nowNanos + random.nextLong(gossipIntervalNanos());
  }

  private void stateRequested(Address from, List<Effect> effects) {
    Message answer =
        isActive()
            ? new StateTransfer(settings.service(), settings.self(), snapshot())
            : new StateUnavailable(settings.service(), settings.self());
    effects.add(new Effect.Send(from, answer));
  }

  private Snapshot snapshot() {
    ByteWriter writer = new ByteWriter(STATE_BYTES_MAX);
    service.writeVersion(window.base(), writer);
    return new Snapshot(
        window.settled(),
        List.of(),
        writer.toBytes(),
        window.clients().records(),
        window.entries());
  }

  private void askForState(long other, List<Effect> effects) {
    if (nowNanos >= askStateAgainNanos) {
      askStateAgainNanos = nowNanos + Joining.ASK_AGAIN_MILLIS * NANOS_PER_MILLI;
      send(other, new StateRequest(settings.service(), settings.self()), effects);
    }
  }

  /**
   * Takes a state that settled without this replica, which started anew while it could reach
   * nobody.
   */
  private void catchUp(Snapshot snapshot) {
    if (snapshot.settled().throughEpoch() > window.settled().throughEpoch()
        && !window.through(snapshot.settled().throughEpoch()).equals(snapshot.settled())) {
      install(snapshot);
    }
  }

  /**
   * Takes the snapshot in place of the own state, and puts the own unsettled entries in again, same
   * ids.
   */
  private boolean install(Snapshot snapshot) {
    Version version;
    try {
      version = service.readVersion(snapshot.version().reader());
    } catch (MalformedException malformed) {
      return false; // Not a state of this service: as if it had not arrived.
    }
    List<Entry> own = window.entries();
    window = window(version, snapshot.settled(), ClientTable.of(snapshot.clients()));
    agreement.reset();
    window.insert(snapshot.unsettled());
    long stamp = clock();
    List<Entry> again = new ArrayList<>();
    for (Entry entry : own) {
      // What settled without it gets a new stamp, the others keep theirs and so their place.
      boolean settled = window.epochOf(entry) <= snapshot.settled().throughEpoch();
      again.add(settled ? new Entry(entry.id(), stamp++, entry.body()) : entry);
    }
    window.insert(again);
    return true;
  }

  private Window window(Version base, Prefix settled, ClientTable clients) {
    return new Window(service, settings.epochMillis(), base, settled, clients);
  }

  // Time.

  /**
   * The time as a stamp that this replica takes: others may have closed epochs that its own clock
   * has not reached.
   */
  private long clock() {
    long firstOpenMillis = (closedThrough() + 1) * settings.epochMillis();
    return Stamp.atNanos(Math.max(nowNanos, firstOpenMillis * NANOS_PER_MILLI));
  }

  private long closedThrough() {
    return Math.max(currentEpoch() - settings.closeAfterEpochs(), window.settled().throughEpoch());
  }

  private long closingMillis() {
    return (long) settings.closeAfterEpochs() * settings.epochMillis();
  }

  private long currentEpoch() {
    return nowMillis() / settings.epochMillis();
  }

  private long nowMillis() {
    return nowNanos / NANOS_PER_MILLI;
  }

  private long gossipIntervalNanos() {
    return settings.gossipIntervalMillis() * NANOS_PER_MILLI;
  }

  private void send(long replica, Message message, List<Effect> effects) {
    Address to = settings.view().get(replica);
    if (to != null) {
      effects.add(new Effect.Send(to, message));
    }
  }
}
