package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.ReadsAlone;
import dev.tempest.protocol.order.Replica;
import dev.tempest.protocol.order.Stand;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.CheckpointAge;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogMessage.Told;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.ServiceStatus;
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
 * loses its memory at once; where logs are stored, its disks, or their machines' power if they are
 * adaptive. Where no majority is reached nobody is answered. If its log is stored, a process that
 * starts again is the replica that it was. Else it is another member, and takes the state from the
 * others; if all end, what they had is gone.
 */
public final class ReplicaByConsensus implements Replica {
  private static final int PIECE_BYTES = 64 << 10;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final String BY_TIME = "what counts before it is agreed on is ordered by time";

  private final LogSettings settings;
  private final Placement placement;
  private final Seats seats;
  private final View view;
  private final Agreement log;
  private final ViewClient views;
  private final Founding founding;
  private final Executor executor;
  private final StateTaker taker;
  private final LogStates states;
  private final Repair repair;
  private final LogRequests requests;
  private final Telling telling;
  private final Certifier certifier;
  private final OwnActions actions;
  private final Membership membership;
  private final Storing storing;
  private final Hindrance hindrance;
  private long nowNanos;
  private boolean wasServing;
  private long lookNanos;

  /**
   * A replica that goes on with what it had.
   *
   * @param settings whose group has it as the replica that it was
   * @param restored null for nothing: it has no state, and is a member of no group
   */
  public ReplicaByConsensus(
      LogSettings settings,
      Placement placement,
      ServiceInstance service,
      @Nullable RestoredByConsensus restored,
      long seed,
      long nowNanos) {
    this.settings = settings;
    this.placement = placement;
    this.nowNanos = nowNanos;
    Group group = settings.group();
    SplittableRandom random = new SplittableRandom(seed);
    this.seats = new Seats(group.self(), placement.self(), group.electionNanos(), placement.view());
    this.view = new View(group.self(), seats.view());
    boolean hasLostLog = restored != null && restored.isLost();
    Acceptor acceptor = restored == null || hasLostLog ? null : restored.acceptor();
    this.log = Agreement.begin(group, settings.size(), acceptor, random.nextLong(), nowNanos);
    this.founding = Founding.of(settings, hasLostLog, seed);
    long room = placement.room().waitingMaxBytes();
    Executes executes = settings.order().executes();
    this.executor =
        new Executor(
            group.self(), service, executes == Executes.ALL, settings.limits(), room, seed);
    this.taker = new StateTaker(service, PIECE_BYTES);
    this.states = new LogStates(placement, service, PIECE_BYTES, settings.limits().logMaxBytes());
    this.membership = new Membership(group, settings.size());
    this.repair = new Repair(view, log, executor, taker, states, membership, nowNanos);
    this.certifier = new Certifier(service, log, executor);
    this.actions =
        new OwnActions(
            placement.self(), service, log, executor, group.heartbeatNanos(), room, seed);
    this.requests =
        new LogRequests(
            settings,
            placement,
            service,
            view,
            log,
            executor,
            certifier,
            new OwnUpdates(executes == Executes.ANY, view, executor, actions),
            random.nextLong());
    this.views = new ViewClient(placement.service(), random.nextLong());
    this.telling = new Telling(group, requests);
    this.storing = new Storing(placement, view, service, PIECE_BYTES, settings, nowNanos);
    this.lookNanos = nowNanos;
    this.hindrance = new Hindrance(10 * group.electionNanos(), nowNanos);
    if (restored != null && restored.state() != null) {
      install(restored.state());
    }
  }

  @Override
  public List<Effect> step(Event event) {
    nowNanos = Math.max(nowNanos, event.nowNanos());
    List<Effect> effects = new ArrayList<>(4);
    storing.look(log, nowNanos, effects);
    switch (event) {
      case Event.Tick tick -> tick(effects);
      case Event.Received(var now, var from, Message.Reply reply) when views.hasAsked(reply) ->
          perform(log.step(views.answer(reply, nowNanos)), effects);
      case Event.Received(var now, var from, Message.RequestMessage message) ->
          perform(requests.take(from, message, isActive(), nowNanos, effects), effects);
      case Event.Received(var now, var from, OfLog said) ->
          said(said.replica(), said.said(), effects);
      case Event.Received(var now, var from, Message.PieceUnavailable cannot)
          when taker.isTaking() ->
          effects.add(new Effect.Hindered("its leader cannot give it: " + cannot.reason()));
      case Event.Received other -> {} // Not of this order.
      case Event.Shed(var now, var from, var update, var why) ->
          perform(requests.shed(from, update, why, isActive(), nowNanos, effects), effects);
      case Event.ViewChanged(var now, var changed) -> {
        seats.change(changed);
        view.change(seats.view());
      }
      case Event.Ended(var now, var members) -> membership.leave(members);
      case Event.Leaving now -> membership.leave(List.of(placement.self()));
      case Event.Loaded(var now, int load, boolean isFull) -> {
        requests.loaded(load);
        states.scarce(isFull);
      }
      case Event.Written written -> throw new IllegalStateException(BY_TIME);
      case Event.AwaitAcks waits -> throw new IllegalStateException(BY_TIME);
      case Event.Acted acted -> actions.take(acted, effects);
      case Event.Looks(var now, long ticket) -> requests.reads().look(ticket, isActive(), effects);
      case Event.EndWait(var now, long ticket) -> {
        actions.end(ticket, effects);
        requests.reads().end(ticket, effects);
      }
      case Event.Declared declared -> {
        executor.upgrade();
        actions.upgrade();
      }
    }
    goOn(effects);
    return effects;
  }

  private void tick(List<Effect> effects) {
    for (Address unaware : seats.say(nowNanos)) {
      effects.add(new Effect.Send(unaware, ofLog(new LogMessage.ComesBack(view.self()))));
    }
    if (log.isFresh()) {
      List<Long> present = List.copyOf(view.all());
      foundedBy(founding.tick(present, nowNanos, (to, said) -> send(to, said, effects)), effects);
    }
    String why = log.isFresh() ? founding.why(view.all().size(), nowNanos) : seats.why();
    hindrance.look(why == null ? log.why(view.all()) : why, nowNanos, effects);
    if (log.wantsMembers() && nowNanos >= lookNanos) {
      lookNanos = nowNanos + settings.group().heartbeatNanos();
      perform(log.step(membership.change(view, log.members(), nowNanos)), effects);
      long passedMillis = executor.passedMillis(nowMillis());
      if (passedMillis >= 0 && log.serves() && log.length() == log.committed()) {
        propose(new SlotEntry.Passed(passedMillis), effects);
      }
    }
    perform(requests.executeKept(isActive(), nowNanos, effects), effects);
    perform(log.step(new Agreement.Event.Tick(nowNanos)), effects); // Sends what is proposed.
    if (membership.isToSayThatItLeaves(nowNanos)) {
      view.others().forEach(other -> send(other, new LogMessage.Leaves(), effects));
    }
  }

  private void foundedBy(@Nullable List<Long> members, List<Effect> effects) {
    if (members != null) {
      var founded = new Agreement.Event.Founded(nowNanos, new SlotEntry.Members(members));
      perform(log.step(founded), effects);
    }
  }

  private void said(long process, LogMessage said, List<Effect> effects) {
    long from = seats.replicaOf(process);
    switch (said) {
      case LogMessage.OfSeats seat -> seated(process, seat, effects);
      case LogMessage unheard when !seats.hears(process) -> {} // It is said to somebody else.
      case LogMessage.OfBallot message -> hear(from, message, Telling.NONE, effects);
      case LogMessage.Tell(var accept) -> tell(from, accept, effects);
      case Told told -> hear(from, told.accepted(), told, effects);
      case LogMessage.OfFoundation message when log.isFresh() ->
          foundedBy(
              founding.received(from, message, (to, answer) -> send(to, answer, effects)), effects);
      case LogMessage.OfFoundation late -> {}
      case LogMessage.Leaves leaves -> membership.leave(List.of(from));
      case LogMessage.Misses misses -> storing.missed(nowNanos);
      case LogMessage.LengthRequest(long number) -> {
        if (!log.isFresh()) {
          perform(log.sayCommitted(from), effects); // For that it waits.
          send(from, new LogMessage.Length(number, log.end()), effects);
        }
      }
      case LogMessage.Length length -> requests.reads().received(from, length);
      case LogMessage.Offer offer -> {
        LogMessage.Certified certified = certify(process, offer, effects);
        if (certified != null) {
          send(from, certified, effects);
        }
      }
      case LogMessage.Certified certified -> actions.received(certified);
      case LogMessage.StateWish(long slot, var wish) -> {
        LogState now = log.serves() && executor.deviation() == null ? executor.state() : null;
        states.give(view.address(from), slot, wish, now, effects);
      }
      case LogMessage.StatePart part when from == log.ballot().replica() ->
          ask(taker.take(part, isActive(), nowNanos, effects), effects);
      case LogMessage.StatePart ofAnother -> {}
    }
  }

  private void hear(long from, LogMessage.OfBallot message, Told told, List<Effect> effects) {
    perform(log.step(new Agreement.Event.Received(nowNanos, from, message)), from, told, effects);
    requests.hear(message);
  }

  /** Accepts what comes next, and answers who asked for it before the leader hears of that. */
  private void tell(long from, LogMessage.Accept accept, List<Effect> effects) {
    var done = log.step(new Agreement.Event.Received(nowNanos, from, accept));
    Told told = telling.told(done);
    if (told == null) {
      perform(done, effects);
    } else {
      perform(Telling.withoutAnswer(done), effects);
      send(from, executor.deviation() == null ? told : told.accepted(), effects);
    }
  }

  private void seated(long process, LogMessage.OfSeats said, List<Effect> effects) {
    Address welcome = seats.received(process, said);
    view.change(seats.view());
    if (welcome != null) {
      effects.add(new Effect.Send(welcome, ofLog(new LogMessage.Welcome(process))));
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
          if (leader == view.self()) {
            LogMessage.Certified certified = certify(placement.self(), offer, effects);
            if (certified != null) {
              actions.received(certified);
            }
          } else {
            send(leader, offer, effects);
          }
        },
        effects);
    for (long process : certifier.reached()) {
      perform(log.sayCommitted(seats.replicaOf(process)), effects); // For that it waits.
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
    perform(requests.executeRefused(isActive(), nowNanos, effects), effects);
    goOnWithActions(effects);
    perform(requests.voteForKept(isActive(), nowNanos, effects), effects);
    requests.reads().goOn(isActive(), nowNanos, effects);
    states.goOn(log, executor, taker.why(), nowNanos);
  }

  private void ask(LogMessage.@Nullable StateWish wish, List<Effect> effects) {
    if (wish != null) {
      send(log.ballot().replica(), wish, effects);
    }
  }

  private void propose(SlotEntry entry, List<Effect> effects) {
    perform(log.step(new Agreement.Event.Propose(nowNanos, entry)), effects);
  }

  private void perform(List<Agreement.Effect> logEffects, List<Effect> effects) {
    perform(logEffects, view.self(), Telling.NONE, effects);
  }

  private void perform(
      List<Agreement.Effect> logEffects, long by, Told told, List<Effect> effects) {
    for (Agreement.Effect effect : logEffects) {
      switch (effect) {
        case Agreement.Effect.Send(long to, var said) -> send(to, telling.ask(to, said), effects);
        case Agreement.Effect.Vow vow -> storing.add(vow, ofLog(vow.vow()), effects);
        case Agreement.Effect.Installed installed -> install(installed.point());
        case Agreement.Effect.VotesNoMore stopped -> requests.votesNoMore();
        case Agreement.Effect.AskForView(var wanted) -> views.ask(wanted, view, nowNanos, effects);
        case Agreement.Effect.Committed(long slot, SlotEntry entry) -> {
          executor.commit(slot, entry);
          actions.committed(entry);
        }
      }
    }
    executor.committed();
    telling.answer(by, told, logEffects, effects);
  }

  private void install(LogPoint point) {
    LogState taken = taker.taken(point);
    storing.installed(taken);
    install(taken);
  }

  private void install(LogState state) {
    executor.install(state);
    actions.installed();
    states.install(state);
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
    nextNanos = Math.min(nextNanos, Math.min(requests.nextTickNanos(), actions.nextTickNanos()));
    nextNanos = Math.min(nextNanos, Math.min(seats.nextTickNanos(), membership.nextTickNanos()));
    nextNanos = Math.min(nextNanos, log.isFresh() ? founding.nextTickNanos() : Long.MAX_VALUE);
    return Math.min(nextNanos, repair.nextTickNanos(nowNanos));
  }

  /** Whether it is a member that has the state. */
  @Override
  public boolean isActive() {
    return executor.state().point().members().contains(view.self());
  }

  @Override
  public boolean isSpare() {
    return log.isSpare();
  }

  @Override
  public Version version() {
    return executor.state().applied().version();
  }

  @Override
  public @Nullable ReadsAlone readsAlone() {
    return requests.reads().alone(isActive(), nowNanos);
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

  /** How many updates whose clients wait it has forgotten for others; for simulations. */
  public long forgottenUpdates() {
    return requests.forgotten();
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
    return settings.group().stores() || view.others().isEmpty() || !log.isNeeded();
  }

  @Override
  public long nowMillis() {
    return nowNanos / NANOS_PER_MILLI;
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

  /** With which its log can begin; none if that is in memory. */
  @Override
  public @Nullable Checkpoint checkpoint() {
    boolean isRight = isActive() && executor.deviation() == null;
    return settings.group().stores() && isRight ? storing.checkpoint(executor.state()) : null;
  }

  @Override
  public ServiceStatus status(String name) {
    LogPoint point = executor.state().point();
    return new ServiceStatus(
        name,
        isActive() && executor.deviation() == null,
        log.role(),
        point.executed(),
        point.hash(),
        point.slot() - 1,
        0, // What is not committed is not in the state.
        0,
        0,
        0,
        requests.reads().answered(),
        requests.byVotes(),
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
    return "serves %s, ballot %s, slots %d to %d; %s"
        .formatted(log.serves(), log.ballot(), log.start(), log.length(), executor.state().point());
  }
}
