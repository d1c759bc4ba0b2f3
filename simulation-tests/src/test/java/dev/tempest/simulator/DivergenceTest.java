package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.state.State;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A service that is not deterministic: found, named, repaired. That nothing is ever found of one
 * that is deterministic all other runs check ({@link Deterministic}). {@code -Dseed=17} replays one
 * seed with its trace.
 */
class DivergenceTest {
  private static final int SEEDS = 20;

  /** Takes random numbers from its process, for one kind of update and one collection. */
  private static final class Unseeded extends LedgerService {
    private final Map<Long, Long> luck;
    private final SplittableRandom process;

    Unseeded(State state, long process) {
      super(state);
      this.luck = state.map("luck", Long.class, Long.class);
      this.process = new SplittableRandom(process);
    }

    @Override
    public long append(String key, long tag) {
      luck.put(tag % 5, process.nextLong(1_000));
      return super.append(key, tag);
    }
  }

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  private static Workload unseeded() {
    Function<Long, Function<State, Ledger>> services =
        replica -> state -> new Unseeded(state, replica);
    return new LedgerWorkload(
        services, List.of(new Convergence(), new ExactlyOnce(), new SurvivingUpdates()));
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void aServiceThatIsNotDeterministicIsNamedAndRepaired(long first) {
    Seeds.forEach(first, SEEDS, DivergenceTest::isNamedAndRepaired);
  }

  private static void isNamedAndRepaired(long seed) {
    World world = World.of(seed).operations(20, 40).workload(DivergenceTest::unseeded);
    world.load();
    world.heal();
    world.reunite();

    String trace = String.join("\n", world.traceTail());
    assertThat(world.violations()).as("-Dseed=%d\n%s", seed, trace).isEmpty();
    TreeSet<String> named = new TreeSet<>();
    world.evidence().divergences().forEach(each -> named.addAll(each.collections()));
    assertThat(named).as("-Dseed=" + seed).containsExactly("map 'luck'");
  }
}
