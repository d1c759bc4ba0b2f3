package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SampleTest {

  @Test
  void comesBackFromItsLine() throws IOException {
    Histogram nanos = Sample.newHistogram();
    nanos.recordValue(21_500);
    nanos.recordValueWithCount(1_000_000, 3);
    Sample sample = new Sample(nanos, 2_000_000_000, 9, 1);
    assertThat(ObjectLine.read(ObjectLine.of(sample))).isEqualTo(sample);
    assertThat(sample.requestsPerSecond()).isEqualTo(2);
  }

  @Test
  void aLineOfAnythingElseIsRefused() {
    assertThatThrownBy(() -> ObjectLine.read("AAAA")).isInstanceOf(IOException.class);
  }
}
