package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * In every third world one replica executes an update, any; in the others all do. In which worlds,
 * {@link Seeds} says.
 */
class SimulationTest {
  private static final int SEEDS = 40;

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void everyPromiseIsKept(long first) {
    var options = Simulation.Options.defaults();
    Seeds.forEach(first, SEEDS, seed -> Seeds.check(Simulation.run(seed, options)));
  }

  @ParameterizedTest
  @EnumSource(Scenario.class)
  void everyPromiseIsKeptWhateverGoesWrong(Scenario scenario) {
    for (long seed = 1; seed <= 5; seed++) {
      var options = Simulation.Options.defaults().withScenario(scenario);
      Seeds.check(Simulation.run(seed, options));
    }
  }

  /** It had not settled all that its side had, and had had a part of that before the two parted. */
  @Test
  void whatOneOfItsSideHasBroughtAsAWholeIsNotExecutedAgain() {
    Seeds.check(Simulation.run(1_059_804, Simulation.Options.defaults()));
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    var options = Simulation.Options.defaults().withScenario(Scenario.BURN);
    var one = Simulation.run(7, options.withListener(first::add));
    var other = Simulation.run(7, options.withListener(second::add));
    var silent = Simulation.run(7, options);

    assertThat(other).isEqualTo(one);
    assertThat(silent.counts().traceHash()).isEqualTo(one.counts().traceHash());
    assertThat(second).isEqualTo(first).hasSizeGreaterThan(500);
  }

  @Test
  void anotherSeedGivesAnotherRun() {
    var options = Simulation.Options.defaults();
    assertThat(Simulation.run(8, options).counts().traceHash())
        .isNotEqualTo(Simulation.run(9, options).counts().traceHash());
  }

  @Test
  void worldsAreAsBadAsTheySay() {
    long crashes = 0;
    long reruns = 0;
    long repaired = 0;
    long damaged = 0;
    for (long seed = 1; seed <= 20; seed++) {
      var counts =
          Simulation.run(seed, Simulation.Options.defaults().withScenario(Scenario.BURN)).counts();
      crashes += counts.crashes();
      reruns += counts.reruns();
      repaired += counts.repaired();
      damaged += counts.damaged();
      assertThat(counts.updates()).isPositive();
      assertThat(counts.lost()).isPositive();
    }
    assertThat(crashes).isGreaterThan(20);
    assertThat(reruns).isGreaterThan(200);
    assertThat(repaired).isGreaterThan(100);
    assertThat(damaged).isGreaterThan(20);
  }
}
