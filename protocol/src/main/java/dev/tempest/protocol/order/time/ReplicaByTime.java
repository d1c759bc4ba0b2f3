package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Stand;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.CheckpointAge;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Kept;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Ack;
import dev.tempest.wire.Message.AckRequest;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.Have;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.Message.ReplicaMessage;
import dev.tempest.wire.Message.RequestMessage;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Message.StateSummary;
import dev.tempest.wire.Message.Want;
import dev.tempest.wire.ReplicaRole;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
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
 * still change what a read will see. Does not detect failures: it is told who is in its view.
 *
 * <p>An update comes from a front-end, as a call that every replica executes, or that {@linkplain
 * ReplicaSettings.Policy#executesAny one} executes; or it is {@linkplain Event.Written written} by
 * the process itself, as a change that the others apply. Such a write counts after everything that
 * was seen here, at once, and is never lost while this process lives.
 *
 * <p>Not thread-safe: its owner calls {@link #step} from one thread at a time.
 */
public final class ReplicaByTime implements Replica {
  /** One that has left is not waited for when unsettled entries take more than this share. */
  private static final int WAITING_SHARE = 4;

  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final Stability stability;
  private final ReplicaClock clock;
  private final Admission admission;
  private final SessionGuarantees guarantees;
  private final Executions executions;
  private final ClientRequests clientRequests;
  private final Writes writes;
  private final FlowControl flow;
  private final AckWaits ackWaits;
  private final AckRequests ackRequests;
  private final Merger merger;
  private final Transfers transfers;
  private final Divergence divergence;
  private final Gossip gossip;
  private final Reconciliations reconciliations;
  private final Suspension suspension;
  private final GossipTimer gossipTimer;
  private final SplittableRandom random;

  private boolean toldView;
  private boolean leaving;

  /** The last epoch that may have had entries when it was told that it leaves. */
  private long lastEpoch;

  /**
   * A replica without state, which first asks the others of its view for theirs.
   *
   * @param seed 64 random bits of this incarnation, which also name its own writes
   */
  public ReplicaByTime(
      ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
    this(settings, service, null, seed, nowNanos);
  }

  /**
   * A replica that comes back with what it had, which first asks the others of its view for more.
   *
   * @param restored null for nothing
   * @param seed 64 random bits of this incarnation, which also name its own writes
   */
  public ReplicaByTime(
      ReplicaSettings settings,
      ServiceInstance service,
      @Nullable RestoredByTime restored,
      long seed,
      long nowNanos) {
    this.settings = settings;
    this.service = service;
    this.random = new SplittableRandom(seed);
    this.view = new View(settings.self(), settings.view());
    this.stability = new Stability(view.others());
    int epochMillis = settings.timing().epochs().lengthMillis();
    this.window = new Window(service, epochMillis, settings.limits().memory(), stability::changed);
    int aheadMaxMillis = settings.limits().stampAheadMaxMillis();
    this.clock = new ReplicaClock(settings.timing(), aheadMaxMillis, window, stability, nowNanos);
    AntiEntropy antiEntropy = new AntiEntropy(settings);
    this.gossipTimer = new GossipTimer(settings.timing(), window, clock, random);
    this.writes = new Writes(random.nextLong(), window, clock, antiEntropy);
    this.flow = new FlowControl(settings, view, window, stability, writes, clock, antiEntropy);
    this.ackWaits = new AckWaits(settings, view, window, stability, writes, clock, antiEntropy);
    this.admission = new Admission(settings.limits(), window, clock);
    this.guarantees = new SessionGuarantees(window, settings.limits().waits().seen());
    this.ackRequests = new AckRequests(settings, view, guarantees);
    this.executions =
        new Executions(settings, service, view, window, clock, writes, guarantees, admission, seed);
    this.clientRequests =
        new ClientRequests(
            settings, service, view, window, clock, admission, guarantees, executions);
    this.merger = new Merger(settings, service, view, window, writes, clock, ackWaits);
    this.suspension = new Suspension(window, settings.limits().unsettledMaxBytes());
    this.divergence = new Divergence(settings, service, view, window, clock);
    this.reconciliations = new Reconciliations(window);
    if (restored != null) {
      restore(restored);
    }
    this.transfers =
        new Transfers(
            settings,
            service,
            view,
            window,
            clock,
            merger,
            divergence,
            reconciliations,
            restored == null ? 1 : restored.replicas());
    this.gossip =
        new Gossip(
            settings,
            view,
            window,
            stability,
            clock,
            antiEntropy,
            merger,
            transfers,
            divergence,
            reconciliations,
            suspension);
  }

  private void restore(RestoredByTime restored) {
    Snapshot snapshot = restored.snapshot();
    merger.comeBack(restored);
    window.insert(snapshot.unsettled());
    clock.continues();
    if (view.others().isEmpty() && restored.replicas() == 1) {
      window.begin(clock.currentEpoch()); // Else its clock may yet be set to that of others.
    }
    divergence.installed(snapshot.hashes());
  }

  @Override
  public List<Effect> step(Event event) {
    clock.advance(event.nowNanos());
    boolean wasActive = isActive();
    if (wasActive) {
      clock.awaited(gossipTimer.nextNanos());
    }
    List<Effect> effects = new ArrayList<>(2);
    switch (event) {
      case Event.Tick tick -> tick(effects);
      case Event.Received(var now, var from, RequestMessage message) ->
          clientRequests.take(from, message, isActive(), takesNoMore(), effects);
      case Event.Shed(var now, var from, var update, var why) ->
          clientRequests.shed(from, update, why, isActive() && !takesNoMore(), effects);
      case Event.Received(var now, var from, ReplicaMessage message) ->
          fromReplica(message, effects);
      case Event.Received(var now, var from, Message message) -> {} // Not a replica's.
      case Event.Written written -> written(written);
      case Event.AwaitAcks(var now, long ticket, int acks) -> ackWaits.begin(ticket, acks);
      case Event.EndWait(var now, long ticket) -> ackWaits.end(ticket, effects);
      case Event.ViewChanged(var now, var changed) -> viewChanged(changed, effects);
      case Event.Loaded(var now, int requests, boolean isFull) -> clientRequests.loaded(requests);
      case Event.Ended(var now, var members) -> {
        stability.ended(members);
        merger.ended(members);
      }
      case Event.Leaving now -> leave();
      case Event.OfActions action ->
          throw new IllegalStateException("actions stand in a log on which a group agrees");
      case Event.Declared declared -> divergence.upgrade();
    }
    if (!wasActive && isActive()) {
      admission.begin();
      window.begin(clock.currentEpoch()); // Its first answer shows all that it was given.
      gossipTimer.begin();
    }
    clientRequests.resume(isActive(), effects);
    flow.look();
    gossipTimer.look();
    suspension.look(effects);
    return effects;
  }

  @Override
  public long nextTickNanos() {
    if (!isActive()) {
      return transfers.nextTickNanos();
    }
    long nextNanos = Math.min(gossipTimer.nextNanos(), clientRequests.nextTickNanos());
    nextNanos = Math.min(nextNanos, Math.min(transfers.nextTickNanos(), ackWaits.nextTickNanos()));
    return Math.min(nextNanos, Math.min(clock.nextTickNanos(), flow.nextTickNanos()));
  }

  @Override
  public boolean isActive() {
    return !transfers.isJoining();
  }

  @Override
  public Version version() {
    return window.version();
  }

  @Override
  public Stand stand() {
    return new Stand(window.latest(), 0, 0);
  }

  @Override
  public boolean isFull() {
    return admission.isFull() || clock.isFarAhead();
  }

  @Override
  public boolean isAhead() {
    return flow.isAhead() || clock.isUnsure();
  }

  @Override
  public long nowMillis() {
    return clock.nowMillis();
  }

  /** How many entries came so late that others may have acted without them. */
  @Override
  public long reconciled() {
    return reconciliations.lateInAll();
  }

  @Override
  public boolean isHandedOver() {
    return view.others().isEmpty() || stability.isAgreedBy(view.others(), lastEpoch);
  }

  /** What is settled, for checkers. */
  public Prefix settled() {
    return window.settled();
  }

  /** The sum of everything through an epoch that has not settled, for checkers. */
  public Prefix through(long epoch) {
    return window.through(epoch);
  }

  /** Whether what is settled began with this, as far as that is remembered; for checkers. */
  public boolean hasSettled(Prefix prefix) {
    return window.history().mayLeadThrough(window.settled(), prefix);
  }

  /** The unsettled entries in order, for checkers. */
  public List<Entry> unsettled() {
    return window.entries();
  }

  /** The settled state, for checkers. */
  public Version base() {
    return window.base();
  }

  /** How many states of others it has taken, for checkers. */
  public long taken() {
    return transfers.taken();
  }

  /** How many updates whose clients wait it has forgotten for others, for checkers. */
  public long forgottenUpdates() {
    return executions.forgotten();
  }

  /** Who may lack what is settled here, for checkers. */
  public Kept kept() {
    return merger.kept();
  }

  /** What the unsettled entries take in memory, in bytes, about. */
  public long unsettledBytes() {
    return window.sizeBytes();
  }

  @Override
  public boolean hasExecuted(RequestId id) {
    return window.contains(id);
  }

  @Override
  public boolean mayHaveForgotten(long client) {
    return window.clients().mayHaveForgotten(client, 0);
  }

  @Override
  public @Nullable Seen seen() {
    return guarantees.all();
  }

  @Override
  public boolean hasSeen(Seen seen) {
    return isActive() && window.cannot() == null && guarantees.hasSeen(seen);
  }

  @Override
  public @Nullable Checkpoint checkpoint() {
    return isActive()
        ? CheckpointByTime.of(settings, service, view.all().size(), window, merger, divergence)
        : null;
  }

  @Override
  public ServiceStatus status(String name) {
    Prefix all = window.through(Long.MAX_VALUE);
    return new ServiceStatus(
        name,
        isActive(),
        ReplicaRole.PEER,
        all.count(),
        divergence.told(all),
        window.settled().throughEpoch(),
        window.size(),
        window.late(),
        window.rerun(),
        gossip.repaired(),
        clientRequests.reads(),
        0, // Nobody votes.
        divergence.found(),
        isActive() ? clock.lagMillis() : Message.NOT_KNOWN,
        CheckpointAge.NONE);
  }

  @Override
  public void checkInvariants() {
    window.checkInvariants();
    stability.checkInvariants();
    writes.checkInvariants();
    flow.checkInvariants();
    clientRequests.checkInvariants();
    Invariant.check(!view.others().contains(view.self()), "a replica is no other one to itself");
    if (isActive()) {
      gossipTimer.checkInvariants();
    }
    Invariant.check(isActive() || nextTickNanos() != Long.MAX_VALUE, "a replica goes on to join");
  }

  private void tick(List<Effect> effects) {
    transfers.tick(effects);
    if (!isActive()) {
      return;
    }
    clock.decide(effects);
    flow.send(effects);
    ackWaits.ask(effects);
    clientRequests.answerLate(effects);
    if (gossipTimer.elapses()) {
      if (!view.others().isEmpty()) {
        gossip.speak(view.others().get(random.nextInt(view.others().size())), effects);
      }
      settle();
      divergence.follow();
      if (!gossip.bringsMuch()) {
        window.begin(clock.currentEpoch()); // No answer lacks for longer what has come late.
      }
      clock.forgetLag();
      reconciliations.endRound(effects);
    }
  }

  /** Whether updates of clients are for others. */
  private boolean takesNoMore() {
    return leaving || clock.isFarAhead() || clock.isUnsure();
  }

  private void leave() {
    leaving = true;
    long settledThrough = window.settled().count() == 0 ? -1 : window.settled().throughEpoch();
    lastEpoch = window.epochs().isEmpty() ? settledThrough : window.epochs().lastKey();
  }

  private void written(Event.Written written) {
    Entry entry = writes.take(written);
    if (view.others().isEmpty()) {
      writes.forgetUnsent();
    } else {
      writes.spread(entry);
    }
  }

  private void viewChanged(SortedMap<Long, Address> changed, List<Effect> effects) {
    List<Long> added = view.change(changed);
    clock.viewChanged(view.others());
    stability.viewChanged(view.others(), clock.ownMillis() + settings.timing().reunionMillis());
    ackWaits.viewChanged();
    ackRequests.viewChanged();
    if (view.others().isEmpty()) {
      writes.forgetUnsent();
    }
    flow.viewChanged(effects);
    merger.viewChanged();
    gossip.viewChanged();
    boolean first = !toldView;
    toldView = true;
    boolean empty = window.settled().count() == 0 && window.size() == 0;
    if (!isActive() || (first && empty)) {
      // One that has entries of its own goes on: others who join now take them from it.
      transfers.join(effects);
    } else {
      added.forEach(other -> gossip.tell(other, effects));
    }
  }

  // Gossip.

  private void fromReplica(ReplicaMessage message, List<Effect> effects) {
    long other = message.replica();
    if (!view.hasOther(other)) {
      return; // A state is for members, and goes to where they are known to be.
    }
    executions.heard(other);
    if (message instanceof StateRequest && isActive()) {
      if (clock.isUnsure()) {
        return; // Whoever joins takes the time with the state, and asks again until it is known.
      }
      gossip.speak(other, effects);
    }
    if (message instanceof Digest digest) {
      compareClocks(digest, effects);
    }
    if (!transfers.take(message, effects) && isActive()) {
      switch (message) {
        case Digest digest -> gossip.take(digest, effects);
        case Have have -> gossip.take(have, effects);
        case Want want -> gossip.take(want, effects);
        case Repair repair -> gossip.take(repair, effects);
        case AckRequest request -> ackRequests.take(request, effects);
        case Ack ack -> {
          flow.take(ack, effects);
          ackWaits.take(ack, effects);
        }
        case StateSummary summary -> divergence.compare(summary, effects);
        default -> {} // Of another order: some process has the service configured otherwise.
      }
    }
    if (isActive() && (message instanceof Repair || message instanceof StatePiece)) {
      executions.arrived();
      ackRequests.arrived(effects);
    }
  }

  private void settle() {
    boolean muchWaits = window.sizeBytes() >= settings.limits().unsettledMaxBytes() / WAITING_SHARE;
    stability.release(clock.ownMillis(), muchWaits);
    long through = stability.settles(clock.closedThrough());
    if (through > window.settled().throughEpoch()) {
      merger.settle(through, view.others());
    }
  }

  /** A digest says what the clock of its replica shows. */
  private void compareClocks(Digest digest, List<Effect> effects) {
    long closedThrough = digest.closed().throughEpoch();
    if (isActive()) {
      clock.heard(digest.replica(), closedThrough, view.others(), effects);
    } else {
      clock.joins(closedThrough, effects);
    }
  }
}
