package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.order.time.Epochs;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.protocol.order.time.ReplicaSettings.Timing;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** For every promise about several machines at once one that breaks it. */
class AcrossReplicasTest {
  /** As a ledger would return it. */
  private static final Bytes ZERO =
      ServiceInterface.of(Ledger.class).methods().stream()
          .filter(method -> method.name().equals("append"))
          .map(method -> method.encodeResult(0L))
          .findFirst()
          .orElseThrow();

  /** Takes what one replica shows for what all show. */
  private static final class SettlesEarly extends Tampered {
    SettlesEarly(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      List<Effect> effects = real.step(event);
      if (event instanceof Event.Received(long now, var from, Digest digest)) {
        for (long other = 1; other <= 6; other++) {
          var forged =
              new Digest(
                  digest.service(),
                  other,
                  digest.settled(),
                  digest.closed(),
                  digest.stateHash(),
                  digest.openThrough(),
                  digest.open());
          real.step(new Event.Received(now, from, forged));
        }
      }
      return effects;
    }
  }

  /** Has settled something else than it did. */
  private static final class SettlesOtherwise extends Tampered {
    SettlesOtherwise(ReplicaMachine real) {
      super(real);
    }

    @Override
    public Prefix settled() {
      Prefix settled = real.settled();
      return new Prefix(settled.throughEpoch(), settled.count(), settled.hash() ^ settled.count());
    }
  }

  /** Loses at times what it has executed. */
  private static final class Loses extends Tampered {
    private int asked;

    Loses(ReplicaMachine real) {
      super(real);
    }

    @Override
    public boolean hasExecuted(RequestId id) {
      return ++asked % 1_000 != 0 && real.hasExecuted(id);
    }

    @Override
    public boolean mayHaveForgotten(long client) {
      return ++asked % 1_000 != 0 && real.mayHaveForgotten(client);
    }
  }

  /** Does not say what it gives up. */
  private static final class GivesUpInSilence extends Tampered {
    GivesUpInSilence(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return real.step(event).stream()
          .filter(effect -> !(effect instanceof Effect.Reconciled))
          .toList();
    }
  }

  /** Answers every update with the same. */
  private static final class AnswersZero extends Tampered {
    AnswersZero(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return real.step(event).stream().map(AnswersZero::withoutAnswer).toList();
    }

    private static Effect withoutAnswer(Effect effect) {
      return effect instanceof Effect.Send(var to, Reply reply)
              && reply.update()
              && reply.answer() instanceof Answer.Returned
          ? new Effect.Send(
              to,
              new Reply(
                  reply.service(),
                  reply.id(),
                  true,
                  reply.replica(),
                  reply.part(),
                  0,
                  new Answer.Returned(ZERO)))
          : effect;
    }
  }

  /** Says that it has forgotten what came of an early update of each client. */
  private static final class Forgets extends Tampered {
    private static final int FORGOTTEN = 5;

    Forgets(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return real.step(event).stream().map(Forgets::forgotten).toList();
    }

    private static Effect forgotten(Effect effect) {
      return effect instanceof Effect.Send(var to, Reply reply)
              && reply.update()
              && reply.id().sequence() == FORGOTTEN
          ? new Effect.Send(
              to,
              new Reply(
                  reply.service(),
                  reply.id(),
                  true,
                  reply.replica(),
                  reply.part(),
                  0,
                  new Answer.Refused(Answer.Reason.RESULT_FORGOTTEN, "it was long ago")))
          : effect;
    }
  }

  /** Goes on as soon as one replica has executed an update, whatever was asked of it. */
  private record Impatient(FrontEndMachine real) implements FrontEndMachine {
    @Override
    public List<Requests.Effect> step(Requests.Event event) {
      return real.step(
          event instanceof Requests.Event.Open open
              ? new Requests.Event.Open(
                  open.nowNanos(), open.client(), 1, open.retryAfterMillis(), 1)
              : event);
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

  private static ReplicaMachine.Factory each(UnaryOperator<ReplicaMachine> tamper) {
    return (settings, service, seed, nowNanos) ->
        tamper.apply(ReplicaMachine.production(settings, service, seed, nowNanos));
  }

  @Test
  void aReplicaThatSettlesBeforeAllHaveAgreedIsFound() {
    assertThat(CanaryTest.foundWith(each(SettlesEarly::new))).contains(Kind.INVARIANT);
  }

  @Test
  void settledStatesOfWhichNoneIsTheBeginningOfTheOtherAreFound() {
    assertThat(
            CanaryTest.foundWith((settings, service, seed, nowNanos) -> {
              var real = ReplicaMachine.production(settings, service, seed, nowNanos);
              return settings.self() == 2 ? new SettlesOtherwise(real) : real;
            }))
        .contains(Kind.INVARIANT);
  }

  @Test
  void aReplicaThatLosesWhatItHasExecutedIsFound() {
    assertThat(CanaryTest.foundWith(each(Loses::new))).contains(Kind.LOST);
  }

  /** An entry that came late, and too old to be put in again. */
  @Test
  void whatIsGivenUpIsSaidAFewRoundsLater() {
    Seeds.check(Simulation.run(tooLate()));
    var machines = new Cluster.Machines(each(GivesUpInSilence::new), FrontEndMachine::production);
    Report report = Simulation.run(tooLate().machines(machines));
    assertThat(report)
        .isInstanceOfSatisfying(
            Report.Failed.class,
            failed ->
                assertThat(failed.violations())
                    .extracting(Violation::kind)
                    .containsOnly(Kind.LOST));
  }

  private static World tooLate() {
    return World.of(12_093).scenario(Scenario.BURN).operations(5, 120);
  }

  @Test
  void anAnswerThatNoExecutionGaveIsFound() {
    assertThat(CanaryTest.foundWith(each(AnswersZero::new))).contains(Kind.WRONG_OUTCOME);
  }

  /** Not where replicas keep few answers: others may have taken its place. */
  @Test
  void anAnswerThatIsForgottenWhileSomebodyWaitsForItIsFound() {
    assertThat(CanaryTest.foundWith(40, each(Forgets::new))).contains(Kind.WRONG_OUTCOME);
  }

  @Test
  void aReplicaThatTakesRequestsInClosedEpochsIsFound() {
    ReplicaMachine.Factory open =
        (settings, service, seed, nowNanos) -> {
          Timing usual = settings.timing();
          var late = new Epochs(usual.epochs().lengthMillis(), 1_000);
          return ReplicaMachine.production(
              new ReplicaSettings(
                  settings.service(),
                  settings.self(),
                  settings.view(),
                  new Timing(
                      usual.gossipIntervalMillis(),
                      usual.idleGossipMillis(),
                      late,
                      usual.reunionMillis()),
                  settings.limits(),
                  settings.policy()),
              service,
              seed,
              nowNanos);
        };
    assertThat(
            CanaryTest.found(world ->
                world
                    .scenario(Scenario.PAUSE)
                    .operations(100, 150)
                    .machines(new Cluster.Machines(open, FrontEndMachine::production))))
        .contains(Kind.INVARIANT);
  }

  @Test
  void anUpdateThatEndsBeforeEnoughReplicasHaveExecutedItIsFound() {
    assertThat(
            CanaryTest.found(world ->
                world.machines(
                    new Cluster.Machines(
                        ReplicaMachine::production,
                        (settings, routing) ->
                            new Impatient(FrontEndMachine.production(settings, routing))))))
        .contains(Kind.WRONG_OUTCOME);
  }

  @Test
  void aFrontEndThatSaysThatItHasAnAnswerForWhichItWaitsIsFound() {
    assertThat(
            CanaryTest.foundWith(effect ->
                List.of(
                    effect instanceof Requests.Effect.Multicast(long service, Update update)
                        ? new Requests.Effect.Multicast(
                            service,
                            new Update(
                                service,
                                update.id(),
                                update.part(),
                                update.call(),
                                update.attempt(),
                                update.acks(),
                                update.id().sequence() + 1))
                        : effect)))
        .contains(Kind.WRONG_OUTCOME);
  }
}
