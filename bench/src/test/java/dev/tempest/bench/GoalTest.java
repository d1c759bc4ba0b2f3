package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalTest {

  @Test
  void isReachedByTheMedianWhateverTheWorst() {
    assertThat(Goal.atMost(2, "a", new Spread(2, 1, 100)).isReached()).isTrue();
    assertThat(Goal.atMost(2, "a", new Spread(2.01, 1, 100)).isReached()).isFalse();
    assertThat(Goal.atLeast(2, "a", new Spread(2, 1, 100)).isReached()).isTrue();
    assertThat(Goal.atLeast(2, "a", new Spread(1.99, 1, 100)).isReached()).isFalse();
    assertThat(Goal.atMost(2, "a", Spread.of(Double.NaN)).isReached()).isFalse();
  }

  @Test
  void saysBothNumbersForPrograms() {
    Goal goal = Goal.atMost(2_000, "get, ns", new Spread(2_400.4, 1_999, 3_000));
    assertThat(goal.toPoint().toJson())
        .isEqualTo(
            "{\"goal\":\"get, ns\",\"median\":2400.400,\"lowest\":1999.000,\"highest\":3000.000,"
                + "\"atMost\":2000.000,\"reached\":false}");
  }
}
