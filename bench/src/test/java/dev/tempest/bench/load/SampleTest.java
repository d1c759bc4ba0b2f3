package dev.tempest.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SampleTest {

  @Test
  void comesBackFromItsLine() {
    Histogram nanos = Sample.newHistogram();
    nanos.recordValue(21_500);
    nanos.recordValueWithCount(1_000_000, 3);
    Sample sample = new Sample(nanos, 2_000_000_000, 9, 5, 1);
    Sample read = Sample.parse(sample.toLine());
    assertThat(read).isEqualTo(sample);
    assertThat(read.requestsPerSecond()).isEqualTo(2);
  }

  @Test
  void aLineOfAnythingElseIsRefused() {
    assertThatThrownBy(() -> Sample.parse("1 2 3")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Sample.parse("1 2 3 4 AAAA"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void planComesBackFromItsLine() {
    LoadPlan plan = new LoadPlan(128, 20, 500, 2_000, 100);
    assertThat(LoadPlan.parse(plan.toLine())).isEqualTo(plan);
    assertThat(plan.totalMillis()).isEqualTo(2_600);
  }
}
