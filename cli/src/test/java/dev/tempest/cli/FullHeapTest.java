package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Readings each second, of a heap that fills. */
final class FullHeapTest {
  private final FullHeap heap = new FullHeap(0, 0);
  private long nowNanos;
  private long collectedMillis;

  @Test
  void whatCollectsInVainForTenSecondsIsFull() {
    for (int second = 1; second < 10; second++) {
      assertThat(reads(800, 0.95)).isFalse();
    }
    assertThat(reads(800, 0.95)).isTrue();
    assertThat(reads(800, 0.95)).isTrue();
    assertThat(reads(0, 0.95)).isFalse();
  }

  /** That collects what it holds, or holds much and has nothing to do. */
  @Test
  void whatIsBusyOrLargeIsNotFull() {
    for (int second = 1; second < 30; second++) {
      assertThat(reads(800, 0.6)).isFalse();
    }
    for (int second = 1; second < 30; second++) {
      assertThat(reads(100, 0.98)).isFalse();
    }
  }

  @Test
  void aPeakThatPassesIsNone() {
    for (int second = 1; second < 30; second++) {
      assertThat(reads(second % 9 == 0 ? 0 : 900, 0.95)).isFalse();
    }
  }

  private boolean reads(int collectingMillis, double inUse) {
    nowNanos += Duration.ofSeconds(1).toNanos();
    collectedMillis += collectingMillis;
    return heap.isMet(nowNanos, collectedMillis, inUse);
  }
}
