package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.simulator.Deed.Kind;
import dev.tempest.simulator.Linearization.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which histories have an order that explains them. */
class LinearizationTest {
  private final List<ThreadAction> history = new ArrayList<>();

  private void told(long from, long until, Deed deed, @Nullable Long gave) {
    ThreadAction action = new ThreadAction("t", List.of(deed), false, from);
    action.counts(Arrays.asList(gave), until);
    history.add(action);
  }

  private void unknown(long from, Deed deed, @Nullable Long gave) {
    ThreadAction action = new ThreadAction("t", List.of(deed), false, from);
    action.executed(Arrays.asList(gave));
    history.add(action);
  }

  private static Deed put(long tag) {
    return new Deed(Kind.PUT, "a", tag);
  }

  private static Deed get() {
    return new Deed(Kind.GET, "a", 0);
  }

  private Verdict verdict() {
    return new Linearization(history).search();
  }

  @Test
  void whatHappensAtTheSameTimeMayHaveHappenedInAnyOrder() {
    told(0, 10, put(1), 2L);
    told(0, 10, put(2), null);
    told(5, 12, get(), 2L);
    told(11, 13, get(), 1L);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void whatWasOverwrittenIsNotReadAgain() {
    told(0, 1, put(1), null);
    told(2, 3, put(2), 1L);
    told(4, 5, get(), 1L);
    assertThat(verdict()).isEqualTo(Verdict.IMPOSSIBLE);
  }

  @Test
  void whatNobodyKnowsMayHaveHappenedLateOrNever() {
    unknown(0, put(1), null);
    unknown(0, put(7), 3L);
    told(2, 3, get(), null);
    told(4, 5, get(), 1L);
    assertThat(verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void whatNobodyKnowsHappensOnceAtMost() {
    unknown(0, put(1), null);
    told(2, 3, get(), 1L);
    told(4, 5, new Deed(Kind.REMOVE, "a", 0), 1L);
    told(6, 7, get(), 1L);
    assertThat(verdict()).isEqualTo(Verdict.IMPOSSIBLE);
  }

  /** Whatever order of so many is tried, the last one stays unexplained. */
  @Test
  void aSearchThatIsTooLargeIsGivenUp() {
    for (long tag = 1; tag <= 40; tag++) {
      told(0, 100, new Deed(Kind.ADD_LAST, "", tag), null);
    }
    told(101, 102, new Deed(Kind.POLL_FIRST, "", 0), 41L);
    assertThat(verdict()).isEqualTo(Verdict.NOT_KNOWN);
  }
}
