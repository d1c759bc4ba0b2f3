package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalTest {

  @Test
  void isReachedByTheMedianWhateverTheWorst() {
    assertThat(new Goal("a", "ns", 2, new Spread(2, 1, 100)).isReached()).isTrue();
    assertThat(new Goal("a", "ns", 2, new Spread(2.01, 1, 100)).isReached()).isFalse();
    assertThat(new Goal("a", "ns", 2, new Spread(Double.NaN, 1, 1)).isReached()).isFalse();
  }

  @Test
  void saysBothNumbersForReadersAndForPrograms() {
    Goal goal = new Goal("get", "ns", 2_000, new Spread(2_400.4, 1_999, 3_000));
    assertThat(goal.toText()).contains("get", "2000 ns", "2400 [1999 .. 3000]", "NOT reached");
    assertThat(goal.toJson("collections"))
        .isEqualTo(
            "{\"benchmark\":\"collections\",\"goal\":\"get\",\"unit\":\"ns\",\"atMost\":2000.000,"
                + "\"median\":2400.400,\"lowest\":1999.000,\"highest\":3000.000,"
                + "\"reached\":false}");
  }
}
