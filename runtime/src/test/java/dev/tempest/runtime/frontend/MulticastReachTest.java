package dev.tempest.runtime.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class MulticastReachTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long START = 1_700_000_000 * SECOND;

  private final MulticastReach reach = new MulticastReach();
  private long nowNanos = START;

  @Test
  void groupsThatFailRestForEverLonger() {
    assertThat(reach.isTried(nowNanos)).isTrue();
    assertThat(restAfterFailure()).isEqualTo(1);
    assertThat(restAfterFailure()).isEqualTo(2);
    assertThat(restAfterFailure()).isEqualTo(4);
    for (int i = 0; i < 10; i++) {
      restAfterFailure();
    }
    assertThat(restAfterFailure()).isEqualTo(60);
  }

  @Test
  void aGroupThatAnswersWhenItIsTriedRestsShortlyWhenItFailsAgain() {
    restAfterFailure();
    restAfterFailure();
    nowNanos += SECOND;
    reach.answered(nowNanos);
    assertThat(restAfterFailure()).isEqualTo(1);
  }

  @Test
  void whatIsAnsweredAtTheEndOfARestWasSentBefore() {
    restAfterFailure();
    reach.answered(nowNanos);
    assertThat(restAfterFailure()).isEqualTo(2);
  }

  @Test
  void whatIsAnsweredWhileGroupsRestSaysNothingOfThem() {
    restAfterFailure();
    reach.failed(nowNanos);
    reach.answered(nowNanos);
    reach.failed(nowNanos);
    nowNanos += 2 * SECOND;
    assertThat(restAfterFailure()).isEqualTo(4);
  }

  /** In seconds. */
  private long restAfterFailure() {
    reach.failed(nowNanos);
    long from = nowNanos;
    while (!reach.isTried(nowNanos)) {
      nowNanos += SECOND;
    }
    return (nowNanos - from) / SECOND;
  }
}
