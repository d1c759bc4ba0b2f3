package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JoinExperimentTest {
  @Test
  void countsSlowSecondsInARow() {
    assertThat(JoinExperiment.inARow(List.of())).isZero();
    assertThat(JoinExperiment.inARow(List.of(false, false))).isZero();
    assertThat(JoinExperiment.inARow(List.of(true, false, true, true, false, true))).isEqualTo(2);
  }
}
