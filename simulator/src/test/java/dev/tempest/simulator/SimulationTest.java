package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * In every third world one replica executes an update, any; in the others all do. {@code -Dseed=17}
 * replays one seed with its trace, {@code -Dseeds=100000} runs many.
 */
class SimulationTest {
  private static final int SEEDS_PER_TEST = 50;

  static LongStream firstSeeds() {
    Long one = Long.getLong("seed");
    return one != null
        ? LongStream.of(one)
        : LongStream.iterate(1, first -> first <= seeds(), first -> first + SEEDS_PER_TEST);
  }

  private static long seeds() {
    return Long.getLong("seeds", 750);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void everyPromiseIsKept(long first) {
    boolean replay = Long.getLong("seed") != null;
    long last = replay ? first : Math.min(first + SEEDS_PER_TEST - 1, seeds());
    for (long seed = first; seed <= last; seed++) {
      var options = Simulation.Options.defaults();
      if (Simulation.run(seed, options) instanceof Report.Failed failed) {
        fail(describe(failed));
      }
    }
  }

  private static String describe(Report.Failed failed) {
    return "-Dseed="
        + failed.seed()
        + " ("
        + failed.scenario()
        + "): "
        + failed.violations()
        + "\n"
        + String.join("\n", failed.trace());
  }

  @ParameterizedTest
  @EnumSource(Scenario.class)
  void everyPromiseIsKeptWhateverGoesWrong(Scenario scenario) {
    for (long seed = 1; seed <= 5; seed++) {
      var options = Simulation.Options.defaults().withScenario(scenario);
      if (Simulation.run(seed, options) instanceof Report.Failed failed) {
        fail(describe(failed));
      }
    }
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
    for (long seed = 1; seed <= 10; seed++) {
      var counts =
          Simulation.run(seed, Simulation.Options.defaults().withScenario(Scenario.BURN)).counts();
      crashes += counts.crashes();
      reruns += counts.reruns();
      repaired += counts.repaired();
      damaged += counts.damaged();
      assertThat(counts.updates()).isPositive();
      assertThat(counts.lost()).isPositive();
    }
    assertThat(crashes).isGreaterThan(10);
    assertThat(reruns).isGreaterThan(100);
    assertThat(repaired).isGreaterThan(100);
    assertThat(damaged).isGreaterThan(10);
  }
}
