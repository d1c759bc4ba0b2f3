package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.simulator.Evidence.Survivor;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** For every promise a machine that breaks it: each has to be caught, and by its name. */
class CanaryTest {
  private static final int SEEDS = 6;

  /** Worlds that are stuck take long, until it is clear that they are. */
  private static final int STUCK_SEEDS = 2;

  private static final Bytes NONE = asReturned(0);
  private static final Bytes TWO = asReturned(2);

  /** As a ledger would return it. */
  private static Bytes asReturned(long executions) {
    return ServiceInterface.of(Ledger.class).methods().stream()
        .filter(method -> method.name().equals("executions"))
        .map(method -> method.encodeResult(executions))
        .findFirst()
        .orElseThrow();
  }

  /** One that knows how it is to run. */
  private abstract static class TamperedReplica extends Tampered {
    final ReplicaSettings settings;

    TamperedReplica(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      super(ReplicaMachine.production(settings, service, seed, nowNanos));
      this.settings = settings;
    }
  }

  /** Takes every update a second time, under another id. */
  private static final class ExecutesTwice extends TamperedReplica {
    ExecutesTwice(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      super(settings, service, seed, nowNanos);
    }

    @Override
    public List<Effect> step(Event event) {
      if (event instanceof Event.Received(long now, var from, Message.Update update)) {
        RequestId id = update.id();
        RequestId again = new RequestId(id.client(), id.sequence() + 1_000_000);
        var second =
            new Message.Update(update.service(), again, update.part(), update.call(), 0, 1, 1);
        real.step(new Event.Received(now, from, second));
      }
      return real.step(event);
    }
  }

  /** Throws away every repair. */
  private static final class IgnoresRepairs extends TamperedReplica {
    IgnoresRepairs(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      super(settings, service, seed, nowNanos);
    }

    @Override
    public List<Effect> step(Event event) {
      return event instanceof Event.Received(long now, var from, Message.Repair repair)
          ? List.of()
          : real.step(event);
    }
  }

  /** Says that it executed some updates, and does not. */
  private static final class Lies extends TamperedReplica {
    Lies(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      super(settings, service, seed, nowNanos);
    }

    @Override
    public List<Effect> step(Event event) {
      if (event instanceof Event.Received(long now, var from, Message.Update update)
          && update.id().sequence() % 5 == 0) {
        var reply =
            new Message.Reply(
                update.service(),
                update.id(),
                true,
                settings.self(),
                update.part(),
                0,
                new Answer.Returned(Bytes.of(new byte[8])));
        return List.of(new Effect.Send(from, reply));
      }
      return real.step(event);
    }
  }

  /** Answers each retry with the answer to something else. */
  private static final class AnswersAnything extends TamperedReplica {
    private int answers;

    AnswersAnything(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      super(settings, service, seed, nowNanos);
    }

    @Override
    public List<Effect> step(Event event) {
      List<Effect> effects = new ArrayList<>();
      for (Effect effect : real.step(event)) {
        if (effect instanceof Effect.Send(var to, Message.Reply reply)
            && reply.update()
            && reply.answer() instanceof Answer.Returned) {
          var wrong = new Answer.Returned(Bytes.of((byte) ++answers));
          effects.add(new Effect.Send(to, answering(reply, wrong)));
        } else {
          effects.add(effect);
        }
      }
      return effects;
    }
  }

  /** Answers every read that nothing was executed. */
  private static final class ShowsNothing extends TamperedReplica {
    ShowsNothing(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      super(settings, service, seed, nowNanos);
    }

    @Override
    public List<Effect> step(Event event) {
      List<Effect> effects = new ArrayList<>();
      for (Effect effect : real.step(event)) {
        effects.add(
            effect instanceof Effect.Send(var to, Message.Reply reply) && !reply.update()
                ? new Effect.Send(to, answering(reply, new Answer.Returned(NONE)))
                : effect);
      }
      return effects;
    }
  }

  private static Message.Reply answering(Message.Reply reply, Answer answer) {
    return new Message.Reply(
        reply.service(),
        reply.id(),
        reply.update(),
        reply.replica(),
        reply.part(),
        reply.load(),
        answer);
  }

  /** Finds its invariants broken after a while. */
  private static final class FallsApart extends TamperedReplica {
    private int checks;

    FallsApart(ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      super(settings, service, seed, nowNanos);
    }

    @Override
    public void checkInvariants() {
      if (++checks == 50) {
        throw new AssertionError("fifty is too much");
      }
    }
  }

  /** A production front-end whose effects somebody tampers with. */
  private record TamperedFrontEnd(
      FrontEndMachine real, Function<Requests.Effect, List<Requests.Effect>> tamper)
      implements FrontEndMachine {
    @Override
    public List<Requests.Effect> step(Requests.Event event) {
      return real.step(event).stream().flatMap(effect -> tamper.apply(effect).stream()).toList();
    }

    @Override
    public long nextTickNanos() {
      return real.nextTickNanos();
    }

    @Override
    public void checkInvariants() {
      real.checkInvariants();
    }
  }

  /** What the first few seeds find. */
  static Set<Kind> found(UnaryOperator<World> tamper) {
    return found(SEEDS, tamper);
  }

  private static Set<Kind> found(int seeds, UnaryOperator<World> tamper) {
    Map<Kind, Long> kinds = new LinkedHashMap<>();
    for (long seed = 1; seed <= seeds; seed++) {
      World world =
          tamper.apply(World.of(seed).scenario(Scenario.LOSS).loss(10, 20).operations(20, 30));
      if (Simulation.run(world) instanceof Report.Failed failed) {
        failed.violations().forEach(violation -> kinds.merge(violation.kind(), 1L, Long::sum));
        assertThat(failed.trace()).isNotEmpty();
      }
    }
    return kinds.keySet();
  }

  static Set<Kind> foundWith(ReplicaMachine.Factory replicas) {
    return foundWith(SEEDS, replicas);
  }

  static Set<Kind> foundWith(int seeds, ReplicaMachine.Factory replicas) {
    return found(
        seeds,
        world -> world.machines(new Cluster.Machines(replicas, FrontEndMachine::production)));
  }

  static Set<Kind> foundWith(Function<Requests.Effect, List<Requests.Effect>> frontEndTampering) {
    return found(world ->
        world.machines(
            new Cluster.Machines(
                ReplicaMachine::production,
                (settings, routing) ->
                    new TamperedFrontEnd(
                        FrontEndMachine.production(settings, routing), frontEndTampering))));
  }

  @Test
  void nothingIsFoundWhereNobodyTampers() {
    assertThat(found(world -> world)).isEmpty();
  }

  @Test
  void anUpdateExecutedTwiceIsFound() {
    assertThat(foundWith(ExecutesTwice::new)).contains(Kind.NOT_ONCE);
  }

  @Test
  void aReplicaThatIgnoresRepairsIsFoundStuck() {
    assertThat(foundWith(STUCK_SEEDS, IgnoresRepairs::new)).contains(Kind.STUCK);
  }

  @Test
  void aReplicaThatAnswersWhatItHasNotExecutedIsFound() {
    assertThat(foundWith(Lies::new)).containsExactly(Kind.WRONG_OUTCOME);
  }

  @Test
  void anAcknowledgedUpdateThatNobodyExecutedIsFoundLost() {
    World world = World.of(1).scenario(Scenario.LOSS).operations(20, 30);
    world.load();
    world.heal();
    Evidence evidence = world.evidence();
    assertThat(new SurvivingUpdates().check(evidence)).isEmpty();

    Operation update =
        evidence.updates().stream().filter(Operation::isAcknowledged).findFirst().orElseThrow();
    update.ids.clear();
    update.executors.clear();
    assertThat(new SurvivingUpdates().check(evidence))
        .extracting(Violation::kind)
        .containsOnly(Kind.LOST);
  }

  @Test
  void anAnswerThatChangesWithoutReasonIsFound() {
    assertThat(foundWith(AnswersAnything::new)).contains(Kind.ANSWER_CHANGED);
  }

  @Test
  void aReadThatDoesNotGiveWhatTheStateGivesIsFound() {
    assertThat(foundWith(ShowsNothing::new)).containsExactly(Kind.WRONG_OUTCOME);
  }

  @Test
  void anExceptionThatNoExecutionThrewIsFound() {
    assertThat(
            foundWith(effect ->
                List.of(
                    effect instanceof Requests.Effect.Complete(long ticket, var how)
                            && ticket % 7 == 0
                        ? new Requests.Effect.Complete(
                            ticket,
                            new Requests.Completion.Answered(new Answer.Threw("Failed", "made up")))
                        : effect)))
        .contains(Kind.WRONG_OUTCOME);
  }

  @Test
  void brokenInvariantsAreFound() {
    assertThat(foundWith(FallsApart::new)).containsExactly(Kind.INVARIANT);
  }

  @Test
  void aReplicaThatTakesUpdatesAlthoughItIsFullIsFound() {
    ReplicaMachine.Factory insatiable =
        (settings, service, seed, nowNanos) ->
            ReplicaMachine.production(
                new ReplicaSettings(
                    settings.service(),
                    settings.self(),
                    settings.view(),
                    settings.timing(),
                    ReplicaSettings.Limits.ofUnsettled(Long.MAX_VALUE),
                    settings.policy()),
                service,
                seed,
                nowNanos);
    assertThat(
            found(world ->
                world
                    .unsettledMaxKilobytes(2, 4)
                    .machines(new Cluster.Machines(insatiable, FrontEndMachine::production))))
        .containsExactly(Kind.MEMORY);
    assertThat(found(world -> world.unsettledMaxKilobytes(2, 4))).isEmpty();
  }

  @Test
  void aFrontEndThatChangesIdsOnRetryIsFound() {
    var sent = new TreeSet<RequestId>();
    assertThat(
            foundWith(effect -> {
              if (effect
                      instanceof
                      Requests.Effect.Multicast(
                          long service,
                          Message.Update(
                              long same,
                              RequestId first,
                              OrderPart part,
                              Call call,
                              int attempt,
                              int acks,
                              long answeredBelow))
                  && !sent.add(first)) {
                var id = new RequestId(first.client(), first.sequence() + 1_000_000L * attempt);
                return List.of(
                    new Requests.Effect.Multicast(
                        service,
                        new Message.Update(same, id, part, call, attempt, acks, answeredBelow)));
              }
              return List.of(effect);
            }))
        .contains(Kind.NOT_ONCE);
  }

  @Test
  void aFrontEndThatGivesUpEarlyIsFound() {
    assertThat(
            foundWith(effect ->
                List.of(
                    effect instanceof Requests.Effect.Complete(long ticket, var how)
                            && ticket % 7 == 0
                        ? new Requests.Effect.Complete(
                            ticket, new Requests.Completion.Unknown(1, null))
                        : effect)))
        .contains(Kind.WRONG_OUTCOME);
  }

  @Test
  void aFrontEndThatNeverSaysHowARequestEndedIsFound() {
    assertThat(
            foundWith(effect ->
                effect instanceof Requests.Effect.Complete(long ticket, var how) && ticket % 7 == 0
                    ? List.of()
                    : List.of(effect)))
        .containsAnyOf(Kind.STUCK, Kind.WRONG_OUTCOME); // It says that its client has the answer.
  }

  @Test
  void aReplicaThatExecutesOtherwiseIsFoundDiverged() {
    assertThat(
            found(world ->
                world.workload(() ->
                    new LedgerWorkload(
                        replica -> replica == 2 ? AddsUp::new : LedgerService::new))))
        .contains(Kind.DIVERGED);
  }

  @Test
  void aStateThatIsNotThatOfTheUpdatesIsFoundEvenIfAllReplicasHaveIt() {
    assertThat(found(world -> world.workload(() -> new LedgerWorkload(replica -> AddsUp::new))))
        .contains(Kind.OUT_OF_ORDER);
  }

  @Test
  void updatesThatTookEffectAgainstTheirStampsAreFound() {
    World world = World.of(1).scenario(Scenario.LOSS).operations(20, 30);
    world.load();
    world.heal();
    Evidence evidence = world.evidence();
    assertThat(new SequentialEquivalence().check(evidence)).isEmpty();

    List<Operation> updates = evidence.updates();
    long latest = updates.stream().flatMap(update -> update.stamps.stream()).reduce(0L, Long::max);
    Survivor replica = evidence.replicas().getFirst();
    Operation first =
        updates.stream()
            .filter(update ->
                evidence
                        .workload()
                        .mark(replica.instance(), replica.version(), update.invocation.tag())
                        .position()
                    == 1)
            .findFirst()
            .orElseThrow();
    first.stamps.clear();
    first.stamps.add(latest + 1);
    assertThat(new SequentialEquivalence().check(evidence))
        .extracting(Violation::kind)
        .containsExactly(Kind.OUT_OF_ORDER);
  }

  @Test
  void aReadThatSawAnUpdateTwiceIsFound() {
    World world = World.of(1).scenario(Scenario.LOSS).operations(20, 30);
    world.load();
    world.heal();
    Evidence evidence = world.evidence();
    assertThat(new ExactlyOnce().check(evidence)).isEmpty();

    Operation read =
        evidence.operations().stream()
            .filter(operation ->
                evidence.workload().describe(operation.invocation.call()).startsWith("executions"))
            .findFirst()
            .orElseThrow();
    read.complete(
        new Requests.Completion.Answered(new Answer.Returned(TWO)), 0, lost -> false, Set.of());
    assertThat(new ExactlyOnce().check(evidence))
        .extracting(Violation::kind)
        .containsExactly(Kind.NOT_ONCE);
  }

  @Test
  void everyKindOfFaultIsPartOfSomeSeed() {
    Set<Scenario> drawn =
        LongStream.range(1, 300)
            .mapToObj(seed -> World.of(seed).scenario())
            .collect(Collectors.toSet());
    assertThat(drawn).containsExactlyInAnyOrder(Scenario.values());
  }
}
