package dev.tempest.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class ChartTest {
  /** On a busy machine a system may answer nothing in a short round: zero has no logarithm. */
  @Test
  void aSystemThatAnsweredNothingHasNoCurve() throws IOException {
    Histogram answered = new Histogram(Point.SIGNIFICANT_DIGITS);
    answered.recordValue(1_000);
    Chart chart =
        new Chart(Chart.Kind.PERCENTILES, "name", "title", "x", "y")
            .add("answers", answered)
            .add("does not", new Histogram(Point.SIGNIFICANT_DIGITS));
    assertThat(new String(chart.toSvg(), UTF_8)).startsWith("<?xml").doesNotContain("does not");
  }
}
