package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tempest.protocol.frontend.Requests;
import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.wire.Message;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Causal chains read their writes and read monotonically, and whoever breaks that is found. Half of
 * the clients of all other simulations have chains, too.
 */
class CausalChainsTest {
  private static final int SEEDS = 20;
  private static final int CANARY_SEEDS = 24;

  /** A production front-end whose effects somebody tampers with. */
  private record Tampered(FrontEndMachine real, Function<Effect, List<Effect>> tampering)
      implements FrontEndMachine {
    @Override
    public List<Effect> step(Requests.Event event) {
      List<Effect> effects = new ArrayList<>();
      real.step(event).forEach(effect -> effects.addAll(tampering.apply(effect)));
      return effects;
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

  /** Many front-ends, whose replicas differ for long because they are parted. */
  private static World parted(long seed) {
    return World.of(seed).scenario(Scenario.PARTITION).frontEnds(4, 4).operations(80, 80);
  }

  @Test
  void aChainSeesWhatItHasSeen() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      if (Simulation.run(parted(seed)) instanceof Report.Failed failed) {
        fail("-Dseed=" + seed + ": " + failed.violations());
      }
    }
  }

  @Test
  void aReplicaThatIsNotToldWhatTheChainHasSeenIsFound() {
    assertThat(
            foundWith(effect ->
                effect
                        instanceof
                        Effect.Send(long to, Message.SeenRead(Message.Read read, Seen seen))
                    ? List.of(new Effect.Send(to, new Message.SeenRead(read, Seen.NOTHING)))
                    : List.of(effect)))
        .containsExactly(Kind.UNSEEN);
  }

  @Test
  void aChainThatForgetsItsOwnUpdatesIsFound() {
    assertThat(
            foundWith(effect ->
                effect instanceof Effect.Saw(long ticket, Seen seen) && isOfUpdate(seen)
                    ? List.of()
                    : List.of(effect)))
        .contains(Kind.UNSEEN); // Its next update may count before them, too.
  }

  @Test
  void aChainThatForgetsWhatItsReadsSawIsFound() {
    assertThat(
            foundWith(effect ->
                effect instanceof Effect.Saw(long ticket, Seen seen) && !isOfUpdate(seen)
                    ? List.of()
                    : List.of(effect)))
        .containsExactly(Kind.UNSEEN);
  }

  private static boolean isOfUpdate(Seen seen) {
    return seen instanceof SeenByTime byTime
        && byTime.clients().size() == 1
        && byTime.settled().equals(SeenByTime.NOTHING.settled());
  }

  /** By the first seed that finds anything. */
  private static Set<Kind> foundWith(Function<Effect, List<Effect>> tampering) {
    Set<Kind> kinds = new TreeSet<>();
    for (long seed = 1; seed <= CANARY_SEEDS && kinds.isEmpty(); seed++) {
      World world =
          parted(seed)
              .machines(
                  new Cluster.Machines(
                      ReplicaMachine::production,
                      (settings, routing) ->
                          new Tampered(FrontEndMachine.production(settings, routing), tampering)));
      if (Simulation.run(world) instanceof Report.Failed failed) {
        failed.violations().forEach(violation -> kinds.add(violation.kind()));
      }
    }
    return kinds;
  }
}
