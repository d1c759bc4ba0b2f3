package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Stand;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.CheckpointAge;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.ReplicaRole;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A replica of a service whose updates count in the order of a log on which a majority agrees
 * (Zhang, chapter VI).
 *
 * <p>Guarantees that updates and reads are linearizable: each takes effect at one moment between
 * its request and its answer. An update that was answered is lost only if a majority of the members
 * loses its memory at once. Where no majority is reached nobody is answered.
 *
 * <p>The log is in memory: a process that starts again is another member, and takes the state from
 * the others. If all end, what they had is gone.
 */
public final class ReplicaByConsensus implements Replica {
  private static final int PIECE_BYTES = 64 << 10;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long HEARTBEAT_NANOS = 20 * NANOS_PER_MILLI;
  private static final long ELECTION_NANOS = 100 * NANOS_PER_MILLI;
  private static final int BATCH_MAX = 64;

  /** So that it is one datagram; what is larger travels as a stream. */
  private static final int BATCH_BYTES = 48 << 10;

  private static final long LOG_BYTES = 64L << 20;

  private final Settings settings;
  private final Placement placement;
  private final View view;
  private final Consensus log;
  private final Founding founding;
  private final Executor executor;
  private final StateTaker taker;
  private final LogStates states;
  private final Repair repair;
  private final LogRequests requests;
  private final Certifier certifier;
  private final OwnActions actions;

  private final Membership membership;

  private long nowNanos;
  private boolean wasServing;
  private long lookNanos;
  private long sayNanos;
  private long hinderedNanos;

  /**
   * How a group works.
   *
   * @param size how many replicas found it: all that there are to be
   * @param order of this replica: who leads decides who executes
   * @param logMaxBytes how much of its log a replica keeps in memory, about
   */
  public record Settings(int size, Order.ByConsensus order, Group group, long logMaxBytes) {
    /** Refuses what nobody can found. */
    public Settings {
      if (size < 1 || size > SlotEntry.Members.COUNT_MAX || logMaxBytes < 1) {
        throw new IllegalArgumentException(
            "a group has 1 to %d members, not %d".formatted(SlotEntry.Members.COUNT_MAX, size));
      }
    }

    /** Where nothing else is said. */
    public static Settings usual(long self, int size, Order.ByConsensus order) {
      boolean leases = order.reads() == Order.ByConsensus.Reads.LEASE;
      return new Settings(
          size,
          order,
          new Group(self, HEARTBEAT_NANOS, ELECTION_NANOS, leases, BATCH_MAX, BATCH_BYTES),
          LOG_BYTES);
    }
  }

  /** A replica without state, and a member of no group. */
  public ReplicaByConsensus(
      Settings settings, Placement placement, ServiceInstance service, long seed, long nowNanos) {
    this.settings = settings;
    this.placement = placement;
    this.nowNanos = nowNanos;
    SplittableRandom random = new SplittableRandom(seed);
    this.view = new View(placement.self(), placement.view());
    this.log = new Consensus(settings.group(), random.nextLong(), nowNanos);
    long electionNanos = settings.group().electionNanos();
    this.founding = new Founding(placement.self(), settings.size(), electionNanos);
    this.executor =
        new Executor(
            service,
            settings.order().executesAll(),
            LogRequests.BOUNDS,
            placement.room().waitingMaxBytes(),
            seed);
    this.taker = new StateTaker(service, PIECE_BYTES);
    this.states = new LogStates(placement, service, PIECE_BYTES, settings.logMaxBytes());
    this.repair = new Repair(view, log, executor, taker, nowNanos);
    this.requests =
        new LogRequests(
            placement, settings.order().reads(), service, view, log, executor, electionNanos);
    this.certifier = new Certifier(service, log, executor);
    this.actions =
        new OwnActions(
            placement.self(),
            service,
            log,
            executor,
            settings.group().heartbeatNanos(),
            placement.room().waitingMaxBytes());
    this.membership = new Membership(settings.size());
    this.lookNanos = nowNanos;
    this.hinderedNanos = nowNanos;
  }

  @Override
  public List<Effect> step(Event event) {
    nowNanos = Math.max(nowNanos, event.nowNanos());
    List<Effect> effects = new ArrayList<>(4);
    switch (event) {
      case Event.Tick tick -> tick(effects);
      case Event.Received(var now, var from, Message.RequestMessage message) ->
          perform(requests.take(from, message, isActive(), nowNanos, effects), effects);
      case Event.Received(var now, var from, OfLog said) ->
          said(said.replica(), said.said(), effects);
      case Event.Received(var now, var from, Message.PieceUnavailable cannot) ->
          effects.add(new Effect.Hindered("its leader cannot give it: " + cannot.reason()));
      case Event.Received other -> {} // Not of this order.
      case Event.Shed(var now, var from, var update) ->
          requests.shed(from, update, isActive(), nowNanos, effects);
      case Event.ViewChanged(var now, var changed) -> view.change(changed);
      case Event.Ended(var now, var members) -> membership.leave(members);
      case Event.Leaving now -> {
        membership.leave(List.of(placement.self()));
        sayNanos = nowNanos;
      }
      case Event.Loaded(var now, int load) -> requests.loaded(load);
      case Event.Written written -> throw isByTime();
      case Event.AwaitAcks waits -> throw isByTime();
      case Event.Acted acted -> actions.take(acted, effects);
      case Event.Looks(var now, long ticket) -> requests.look(ticket, isActive(), effects);
      case Event.EndWait(var now, long ticket) -> {
        actions.end(ticket, effects);
        requests.end(ticket, effects);
      }
      case Event.Declared declared -> {
        executor.upgrade();
        actions.upgrade();
      }
    }
    goOn(effects);
    return effects;
  }

  private static IllegalStateException isByTime() {
    return new IllegalStateException("what was written before it is agreed on is ordered by time");
  }

  private void tick(List<Effect> effects) {
    if (log.isFresh()) {
      List<Long> members =
          founding.tick(
              List.copyOf(view.all()), nowNanos, (to, message) -> send(to, message, effects));
      foundedBy(members, effects);
      hinder(effects);
    }
    if (log.serves() && nowNanos >= lookNanos) {
      lookNanos = nowNanos + settings.group().heartbeatNanos();
      SlotEntry.Members wanted = new SlotEntry.Members(membership.wanted(view, log.members()));
      perform(log.step(new Consensus.Event.Change(nowNanos, wanted)), effects);
      long expiredMillis = executor.expiredMillis(nowMillis());
      if (expiredMillis >= 0 && executor.deviation() == null) {
        propose(new SlotEntry.Passed(expiredMillis), effects);
      }
    }
    perform(log.step(new Consensus.Event.Tick(nowNanos)), effects);
    if (membership.isLeaving(placement.self()) && nowNanos >= sayNanos) {
      sayNanos = nowNanos + settings.group().electionNanos();
      view.others().forEach(other -> send(other, new LogMessage.Leaves(), effects));
    }
  }

  private void foundedBy(@Nullable List<Long> members, List<Effect> effects) {
    if (members != null) {
      var founded = new Consensus.Event.Founded(nowNanos, new SlotEntry.Members(members));
      perform(log.step(founded), effects);
    }
  }

  private void hinder(List<Effect> effects) {
    long waitNanos = 10 * settings.group().electionNanos();
    if (nowNanos - hinderedNanos > waitNanos) {
      hinderedNanos = nowNanos;
      int here = view.all().size();
      effects.add(
          new Effect.Hindered(
              here < settings.size()
                  ? "%d of the %d members that are to found its group are here"
                      .formatted(here, settings.size())
                  : "another member belongs to a group already, and no leader of it is heard. If"
                      + " most of its members have ended, what it had is lost: end them all, and"
                      + " start them again"));
    }
  }

  private void said(long from, LogMessage said, List<Effect> effects) {
    switch (said) {
      case LogMessage.OfBallot message ->
          perform(log.step(new Consensus.Event.Received(nowNanos, from, message)), effects);
      case LogMessage.OfFoundation message -> {
        if (log.isFresh()) {
          foundedBy(
              founding.received(from, message, (to, answer) -> send(to, answer, effects)), effects);
        }
      }
      case LogMessage.Leaves leaves -> membership.leave(List.of(from));
      case LogMessage.LengthRequest(long number) -> {
        if (!log.isFresh()) {
          perform(log.sayCommitted(from), effects); // For that it waits.
          send(from, new LogMessage.Length(number, log.length()), effects);
        }
      }
      case LogMessage.Length length -> requests.received(from, length);
      case LogMessage.Offer offer -> {
        LogMessage.Certified certified = certify(from, offer, effects);
        if (certified != null) {
          send(from, certified, effects);
        }
      }
      case LogMessage.Certified certified -> actions.received(certified);
      case LogMessage.StateWish(long slot, var wish) -> {
        boolean isRight = log.serves() && executor.deviation() == null;
        LogState now = isRight ? executor.state() : null;
        states.give(view.address(from), slot, wish, now, effects);
      }
      case LogMessage.StatePart part -> {
        if (from == log.ballot().replica()) {
          ask(taker.take(part, nowNanos), effects);
        }
      }
    }
  }

  private LogMessage.@Nullable Certified certify(
      long from, LogMessage.Offer offer, List<Effect> effects) {
    return certifier.take(from, offer, nowMillis(), entry -> propose(entry, effects));
  }

  /** Goes on with what this process has executed, and others have. */
  private void goOnWithActions(List<Effect> effects) {
    actions.look(
        isActive(),
        nowNanos,
        (leader, offer) -> {
          if (leader == placement.self()) {
            LogMessage.Certified certified = certify(leader, offer, effects);
            if (certified != null) {
              actions.received(certified);
            }
          } else {
            send(leader, offer, effects);
          }
        },
        effects);
    for (long replica : certifier.reached()) {
      perform(log.sayCommitted(replica), effects); // For that it waits.
    }
  }

  /** What is to be done after every event. */
  private void goOn(List<Effect> effects) {
    long at = log.takesStateAt();
    if (at >= 0) {
      ask(taker.wants(at, executor.state().applied().version(), nowNanos), effects);
      LogState taken = taker.taken();
      if (taken != null) {
        log.stateIsHere(taken.point());
      }
    } else {
      ask(repair.look(nowNanos, effects), effects);
    }
    if (!isActive() && taker.cameOn(log.reach())) {
      effects.add(new Effect.CameOn());
    }
    if (wasServing && !log.serves()) {
      executor.fallBack();
    }
    wasServing = log.serves();
    goOnWithActions(effects);
    perform(requests.executeKept(isActive(), nowNanos, effects), effects);
    requests.goOn(isActive(), nowNanos, effects);
    if (executor.deviation() == null) {
      states.shorten(log, executor.state());
    } else {
      states.deviate();
    }
  }

  private void ask(LogMessage.@Nullable StateWish wish, List<Effect> effects) {
    if (wish != null) {
      send(log.ballot().replica(), wish, effects);
    }
  }

  private void propose(SlotEntry entry, List<Effect> effects) {
    perform(log.step(new Consensus.Event.Propose(nowNanos, entry)), effects);
  }

  private void perform(List<Consensus.Effect> logEffects, List<Effect> effects) {
    for (Consensus.Effect effect : logEffects) {
      switch (effect) {
        case Consensus.Effect.Send(long to, LogMessage message) -> send(to, message, effects);
        case Consensus.Effect.Installed installed -> install(installed.point());
        case Consensus.Effect.Committed(long slot, SlotEntry entry) -> {
          executor.commit(slot, entry);
          actions.committed(entry);
        }
      }
    }
    executor.committed();
    for (Consensus.Effect effect : logEffects) {
      switch (effect) {
        case Consensus.Effect.Committed(long slot, SlotEntry.Proposed proposed) ->
            requests.answer(proposed.id(), effects);
        case Consensus.Effect.Committed(long slot, SlotEntry.Called called) ->
            requests.answer(called.id(), effects);
        case Consensus.Effect other -> {}
      }
    }
  }

  private void install(LogPoint point) {
    LogState taken = taker.taken();
    if (taken == null || !taken.point().equals(point)) {
      throw new IllegalStateException("no state was taken at slot " + point.slot());
    }
    executor.install(taken);
    actions.installed();
    states.install(taken);
  }

  private void send(long to, LogMessage message, List<Effect> effects) {
    view.send(to, ofLog(message), effects);
  }

  private OfLog ofLog(LogMessage message) {
    return new OfLog(placement.service(), placement.self(), message);
  }

  @Override
  public long nextTickNanos() {
    long nextNanos = Math.min(log.nextTickNanos(), taker.nextTickNanos());
    nextNanos = Math.min(nextNanos, requests.nextTickNanos());
    nextNanos = Math.min(nextNanos, actions.nextTickNanos());
    nextNanos = Math.min(nextNanos, repair.nextTickNanos(nowNanos));
    if (log.isFresh()) {
      nextNanos = Math.min(nextNanos, founding.nextTickNanos());
    }
    return membership.isLeaving(placement.self()) ? Math.min(nextNanos, sayNanos) : nextNanos;
  }

  /** Whether it is a member that has the state. */
  @Override
  public boolean isActive() {
    return executor.state().point().members().contains(placement.self());
  }

  @Override
  public Version version() {
    return executor.state().applied().version();
  }

  @Override
  public Stand stand() {
    return actions.stand();
  }

  @Override
  public boolean hasExecuted(RequestId id) {
    return executor.state().applied().clients().contains(id);
  }

  @Override
  public boolean mayHaveForgotten(long client) {
    return executor.state().applied().clients().mayHaveForgotten(client, 0);
  }

  @Override
  public boolean isFull() {
    return executor.isFull() || actions.isFull();
  }

  @Override
  public boolean isAhead() {
    return false;
  }

  /** Who the members are, for good; for simulations. */
  public List<Long> members() {
    return executor.state().point().members();
  }

  /** Whether the others go on without it: it is a member no more. */
  @Override
  public boolean isHandedOver() {
    boolean isMember = log.serves() || log.members().contains(placement.self());
    return view.others().isEmpty() || !isMember; // Who leads has to see that agreed on, too.
  }

  @Override
  public long nowMillis() {
    return nowNanos / NANOS_PER_MILLI;
  }

  @Override
  public long reconciled() {
    return 0;
  }

  @Override
  public @Nullable Seen seen() {
    return Seen.NOTHING;
  }

  /** Whatever it is: a read shows it. */
  @Override
  public boolean hasSeen(Seen seen) {
    return true;
  }

  /** None: the log is in memory. */
  @Override
  public @Nullable Checkpoint checkpoint() {
    return null;
  }

  @Override
  public ServiceStatus status(String name) {
    LogPoint point = executor.state().point();
    boolean answers = isActive() && executor.deviation() == null;
    return new ServiceStatus(
        name,
        answers,
        log.serves() ? ReplicaRole.LEADER : ReplicaRole.FOLLOWER,
        point.executed(),
        point.hash(),
        point.slot() - 1,
        0, // What is not committed is not in the state.
        0,
        0,
        0,
        requests.reads(),
        repair.found(),
        isActive() ? 0 : Message.NOT_KNOWN,
        CheckpointAge.NONE);
  }

  @Override
  public void checkInvariants() {
    log.checkInvariants();
    executor.checkInvariants();
    requests.checkInvariants();
  }

  @Override
  public String toString() {
    return "serves %s, ballot %s, members %s, slots %d to %d, %d committed; %s"
        .formatted(
            log.serves(),
            log.ballot(),
            log.members(),
            log.start(),
            log.length(),
            log.committed(),
            executor.state().point());
  }
}
