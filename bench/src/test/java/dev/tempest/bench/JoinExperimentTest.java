package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JoinExperimentTest {
  @Test
  void countsOnlyWhatExceedsTheBoundInARow() {
    assertThat(JoinExperiment.longest(List.of(), 2)).isZero();
    assertThat(JoinExperiment.longest(List.of(1.0, 2.0), 2)).isZero();
    assertThat(JoinExperiment.longest(List.of(3.0, 1.0, 3.0, 4.0, 5.0, 2.0, 9.0, 9.0), 2))
        .isEqualTo(3);
  }
}
