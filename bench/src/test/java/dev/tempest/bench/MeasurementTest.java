package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.bench.load.LoadPlan;
import dev.tempest.bench.load.Sample;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MeasurementTest {

  @Test
  void isOneLineOfJsonWithItsUnitsInTheNames() {
    Histogram nanos = Sample.newHistogram();
    nanos.recordValueWithCount(20_000, 99);
    nanos.recordValue(40_000);
    Measurement measurement =
        new Measurement(
            "echo",
            "a \"quoted\"\nname",
            new LoadPlan(1, 0, 100, 500, 0),
            3,
            Instant.parse("2026-11-21T01:02:03.004Z"),
            new Sample(nanos, 500_000_000, 120, 2, 1),
            33.25);
    assertThat(measurement.toJson())
        .startsWith(
            "{\"benchmark\":\"echo\",\"system\":\"a \\\"quoted\\\"\\u000aname\",\"clients\":1,"
                + "\"thinkMillis\":0,\"round\":3,\"measuredMillis\":500,\"requests\":100,"
                + "\"requestsPerSecond\":200.000,\"meanMicros\":20.")
        .contains("\"p50Micros\":20.", "\"resent\":2,\"failed\":1,\"processorMicros\":33.250,")
        .contains("\"timestamp\":\"2026-11-21T01:02:03.004Z\",\"cores\":")
        .endsWith("\"}")
        .doesNotContain("\n");
  }

  @Test
  void whatWasNotCountedIsLeftOut() {
    Sample sample = new Sample(Sample.newHistogram(), 1, 0, Sample.NOT_COUNTED, 0);
    Measurement measurement = Measurement.of("echo", "x", LoadPlan.oneClient(1), 0, sample, 0);
    assertThat(measurement.toJson()).doesNotContain("resent").contains("\"meanMicros\":0.000");
  }
}
