package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServiceTimesTest {
  private static final long MEAN = 1_000_000;
  private static final int MANY = 20_000;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
  void takesTheMeanOnAverage(ServiceKind kind) {
    double mean = draw(kind, 1).stream().mapToLong(ServiceTimes.Time::nanos).average().orElse(0);
    assertThat(mean).isCloseTo(MEAN, Percentage.withPercentage(3));
  }

  @ParameterizedTest
  @EnumSource
  void sameSeedSameTimes(ServiceKind kind) {
    assertThat(draw(kind, 7)).isEqualTo(draw(kind, 7));
  }

  @Test
  void anotherSeedOtherTimes() {
    assertThat(draw(ServiceKind.CPU_LARGE, 7)).isNotEqualTo(draw(ServiceKind.CPU_LARGE, 8));
  }

  @Test
  void computesOrWaitsOrBoth() {
    assertThat(draw(ServiceKind.CPU_LARGE, 1)).allMatch(time -> time.waitingNanos() == 0);
    assertThat(draw(ServiceKind.IO_LARGE, 1)).allMatch(time -> time.computingNanos() == 0);
    assertThat(draw(ServiceKind.BOTH_SMALL, 1))
        .allMatch(time -> time.computingNanos() > 0 && time.waitingNanos() > 0);
    assertThat(draw(ServiceKind.NULL, 1)).allMatch(time -> time.nanos() == 0);
  }

  @Test
  void largeVarianceIsSeveralTimesTheSmallOne() {
    assertThat(deviation(ServiceKind.CPU_SMALL)).isCloseTo(0.058, within(0.01));
    assertThat(deviation(ServiceKind.CPU_LARGE)).isCloseTo(1, within(0.05));
    assertThat(deviation(ServiceKind.IO_SMALL)).isCloseTo(0.29, within(0.02));
    assertThat(deviation(ServiceKind.IO_LARGE)).isGreaterThan(0.8);
    assertThat(deviation(ServiceKind.BOTH_LARGE))
        .isGreaterThan(3 * deviation(ServiceKind.BOTH_SMALL));
  }

  @Test
  void refusesToTakeLessThanNoTime() {
    assertThatThrownBy(() -> new ServiceTimes(ServiceKind.NULL, -1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  private static List<ServiceTimes.Time> draw(ServiceKind kind, long seed) {
    return Stream.generate(new ServiceTimes(kind, MEAN, seed)::next).limit(MANY).toList();
  }

  /** In parts of the mean. */
  private static double deviation(ServiceKind kind) {
    return Math.sqrt(
            draw(kind, 1).stream()
                .mapToDouble(time -> Math.pow(time.nanos() - (double) MEAN, 2))
                .average()
                .orElse(0))
        / MEAN;
  }
}
