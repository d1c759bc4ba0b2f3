package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.state.Version;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** For every promise to those who write by themselves a machine that breaks it. */
class CollectionsCanaryTest {
  private static final int SEEDS = 6;

  /** Forgets some of what its process writes. */
  private static final class Forgets extends Tampered {
    private int writes;

    Forgets(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return event instanceof Event.Written && ++writes % 5 == 0 ? List.of() : real.step(event);
    }
  }

  /** Takes some writes twice. */
  private static final class WritesTwice extends Tampered {
    private int writes;

    WritesTwice(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      if (event instanceof Event.Written && ++writes % 5 == 0) {
        real.step(event);
      }
      return real.step(event);
    }
  }

  /** Shows what was before the latest steps. */
  private static final class ShowsTheOld extends Tampered {
    private final List<Version> seen = new ArrayList<>();

    ShowsTheOld(ReplicaMachine real) {
      super(real);
    }

    @Override
    public Version version() {
      seen.add(real.version());
      return seen.get(Math.max(0, seen.size() - 5));
    }
  }

  /** Throws away whatever comes from others. */
  private static final class Deaf extends Tampered {
    Deaf(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return event instanceof Event.Received(long now, var from, Message.Repair repair)
          ? List.of()
          : real.step(event);
    }
  }

  private static Set<Kind> found(UnaryOperator<ReplicaMachine> tamper) {
    Set<Kind> kinds = new TreeSet<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      World world =
          World.ofCollections(seed)
              .scenario(Scenario.LOSS)
              .operations(15, 25)
              .reunionMillis(Parameters.LONG_REUNION_MILLIS)
              .machines(
                  new Cluster.Machines(
                      (settings, service, machineSeed, nowNanos) ->
                          tamper.apply(
                              ReplicaMachine.production(settings, service, machineSeed, nowNanos)),
                      FrontEndMachine::production));
      if (Simulation.run(world) instanceof Report.Failed failed) {
        failed.violations().forEach(violation -> kinds.add(violation.kind()));
      }
    }
    return kinds;
  }

  @Test
  void nothingIsFoundWhereNobodyTampers() {
    assertThat(found(real -> real)).isEmpty();
  }

  @Test
  void aWriteThatIsForgottenIsFoundLost() {
    assertThat(found(Forgets::new)).contains(Kind.LOST);
  }

  @Test
  void aWriteThatCountsTwiceIsFound() {
    assertThat(found(WritesTwice::new)).contains(Kind.NOT_ONCE);
  }

  @Test
  void aStateThatIsNotThatOfTheEntriesIsFound() {
    assertThat(found(ShowsTheOld::new)).contains(Kind.OUT_OF_ORDER);
  }

  @Test
  void aReplicaThatIgnoresWhatComesIsFoundStuck() {
    assertThat(found(Deaf::new)).contains(Kind.STUCK);
  }

  /** Otherwise the tests of exactness would show nothing. */
  @Test
  void manyWorldsStayExactAndManyGrowApart() {
    int exact = 0;
    int reunions = 0;
    for (long seed = 1; seed <= 120; seed++) {
      World world = World.ofCollections(seed).operations(5, 10);
      world.load();
      world.heal();
      Evidence evidence = world.evidence();
      exact += evidence.staysExact() ? 1 : 0;
      Evidence.Survivor replica = evidence.replicas().getFirst();
      long effective =
          evidence.writes().keySet().stream()
              .filter(
                  tag -> evidence.workload().tookEffect(replica.instance(), replica.version(), tag))
              .count();
      // Several writes in one entry: what one side had settled and the other lacked.
      reunions += effective > replica.status().executed() ? 1 : 0;
    }
    assertThat(exact).isGreaterThan(30);
    assertThat(reunions).isPositive();
  }
}
