package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalTest {

  @Test
  void isReachedByTheMedianWhateverTheWorst() {
    assertThat(isReached(new Spread(2, 1, 100), Goal.Sense.AT_MOST)).isTrue();
    assertThat(isReached(new Spread(2.01, 1, 100), Goal.Sense.AT_MOST)).isFalse();
    assertThat(isReached(new Spread(2, 1, 100), Goal.Sense.AT_LEAST)).isTrue();
    assertThat(isReached(new Spread(1.99, 1, 100), Goal.Sense.AT_LEAST)).isFalse();
    assertThat(isReached(Spread.of(Double.NaN), Goal.Sense.AT_MOST)).isFalse();
  }

  private static boolean isReached(Spread measured, Goal.Sense sense) {
    return new Goal("a", measured, sense, 2).isReached();
  }

  @Test
  void saysBothNumbersForPrograms() {
    Goal goal = new Goal("get, ns", new Spread(2_400.4, 1_999, 3_000), Goal.Sense.AT_MOST, 2_000);
    assertThat(goal.toPoint().toJson())
        .isEqualTo(
            "{\"goal\":\"get, ns\",\"median\":2400.400,\"lowest\":1999.000,\"highest\":3000.000,"
                + "\"sense\":\"at most\",\"bound\":2000.000,\"reached\":false}");
  }
}
