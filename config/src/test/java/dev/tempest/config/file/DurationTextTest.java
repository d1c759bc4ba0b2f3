package dev.tempest.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** People read times as they write them. */
final class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.5S, 500 ms",
    "PT-0.5S, -500 ms",
    "PT1S, 1 s",
    "PT90S, 90 s",
    "PT1M, 1 minute",
    "PT11M, 11 minutes",
    "PT1H, 1 hour",
    "PT25H, 25 hours",
    "PT48H, 2 days",
    "PT0.000001S, PT0.000001S",
    "PT2562047788015215H30M7.999S, PT2562047788015215H30M7.999S"
  })
  void hasTheLargestUnitThatLeavesNoRest(Duration time, String text) {
    assertThat(DurationText.of(time)).isEqualTo(text);
  }
}
