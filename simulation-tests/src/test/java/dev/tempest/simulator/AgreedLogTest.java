package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replicas that agree on a log, and nothing else; which worlds, {@link Seeds} says. */
class AgreedLogTest {
  private static final int SEEDS = 500;

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void noTwoKnowDifferentEntriesInOneSlot(long first) {
    Seeds.forEach(first, SEEDS, seed -> Seeds.check(new LogWorld(seed, null).run()));
  }

  @Test
  void muchHappens() {
    long committed = 0;
    long crashes = 0;
    long states = 0;
    long voted = 0;
    for (long seed = 1; seed <= 50; seed++) {
      LogWorld world = new LogWorld(seed, null);
      Report.Counts counts = world.run().counts();
      committed += counts.acknowledged();
      crashes += counts.crashes();
      states += world.statesTaken();
      LogClients clients = world.clients();
      voted += clients == null ? 0 : clients.learned();
    }
    assertThat(committed).isGreaterThan(5_000);
    assertThat(crashes).isGreaterThan(200);
    assertThat(states).isGreaterThan(20);
    assertThat(voted).isGreaterThan(200);
  }
}
