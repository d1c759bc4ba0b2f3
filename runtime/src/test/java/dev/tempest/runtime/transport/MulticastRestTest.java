package dev.tempest.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class MulticastRestTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Clocks of that kind may be anywhere, and pass the largest number. */
  private static final long NOW = Long.MAX_VALUE - SECOND;

  private final MulticastRest rest = new MulticastRest();

  @Test
  void whatFailedIsTriedAgainAfterFiveSecondsEachTime() {
    assertThat(rest.isOver(NOW)).isTrue();
    for (long now : new long[] {NOW, NOW + 7 * SECOND, NOW + 12 * SECOND}) {
      rest.failed(now);
      assertThat(rest.isOver(now)).isFalse();
      assertThat(rest.isOver(now + 5 * SECOND - 1)).isFalse();
      assertThat(rest.isOver(now + 5 * SECOND)).isTrue();
      assertThat(rest.isOver(now + 6 * SECOND)).isTrue();
    }
  }

  @Test
  void otherNetworksAreTriedAtOnce() {
    rest.failed(NOW);
    rest.end();
    assertThat(rest.isOver(NOW)).isTrue();
  }
}
