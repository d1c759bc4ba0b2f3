package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.simulator.Violation.Kind;
import dev.tempest.state.State;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** For each promise about what services draw a ledger that breaks it. */
class LuckCanaryTest {
  private static final int SEEDS = 3;

  /** Keeps another number than the one that it draws. */
  private static final class KeepsAnother extends LuckyLedger {
    KeepsAnother(State state, Luck process) {
      super(state, process);
    }

    @Override
    public long append(String key, long tag) {
      long drawn = super.append(key, tag);
      luck.put(tag, drawn + 1);
      return drawn;
    }
  }

  /** Returns another number than the one that it draws. */
  private static final class AnswersAnother extends LuckyLedger {
    AnswersAnother(State state, Luck process) {
      super(state, process);
    }

    @Override
    public long append(String key, long tag) {
      return super.append(key, tag) + 1;
    }
  }

  /** Counts effects that no update has. */
  private static final class CountsMore extends LuckyLedger {
    CountsMore(State state, Luck process) {
      super(state, process);
    }

    @Override
    public long append(String key, long tag) {
      effects.add(1);
      return super.append(key, tag);
    }
  }

  private static Set<Kind> found(BiFunction<State, Luck, Ledger> variant) {
    Set<Kind> kinds = new TreeSet<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      World world =
          World.of(seed)
              .scenario(Scenario.LOSS)
              .operations(20, 30)
              .workload(() -> Luck.ledger(variant));
      if (Simulation.run(world) instanceof Report.Failed failed) {
        failed.violations().forEach(violation -> kinds.add(violation.kind()));
      }
    }
    return kinds;
  }

  @Test
  void nothingIsFoundWhereNobodyTampers() {
    assertThat(found(LuckyLedger::new)).isEmpty();
  }

  @Test
  void aStateThatHasWhatNobodyDrewIsFound() {
    assertThat(found(KeepsAnother::new)).containsExactly(Kind.WRONG_OUTCOME);
  }

  @Test
  void anAnswerThatNobodyDrewIsFound() {
    assertThat(found(AnswersAnother::new)).containsExactly(Kind.WRONG_OUTCOME);
  }

  @Test
  void anExecutionThatCountsTwiceIsFound() {
    assertThat(found(CountsMore::new)).containsExactly(Kind.NOT_ONCE);
  }
}
