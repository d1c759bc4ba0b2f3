package dev.tempest.runtime.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FullHeapTest {
  private static final double MUCH = 0.95;
  private static final double LITTLE = 0.5;

  private final FullHeap heap = new FullHeap(0);
  private long nowNanos;

  @Test
  void isNotFullBecauseOfGarbage() {
    assertThat(reads(MUCH)).isTrue();
    collects(10, LITTLE);
    assertThat(heap.isFull()).isFalse();
  }

  @Test
  void isFullIfCollectionsLeaveMuch() {
    assertThat(reads(LITTLE)).isFalse();
    assertThat(reads(MUCH)).isTrue();
    collects(10, MUCH);
    assertThat(heap.isFull()).isTrue();

    passes(999);
    assertThat(reads(MUCH)).as("too soon").isFalse();
    assertThat(heap.isFull()).isTrue();
    passes(1);
    assertThat(reads(MUCH)).isTrue();
    collects(10, LITTLE);
    assertThat(heap.isFull()).isFalse();
  }

  @Test
  void hasRoomOnceLessIsInUse() {
    reads(MUCH);
    collects(10, MUCH);
    assertThat(reads(LITTLE)).as("nothing to collect").isFalse();
    assertThat(heap.isFull()).isFalse();
  }

  /** Whoever writes fast would fill it meanwhile. */
  @Test
  void isLookedAtSoonerWhereTheRoomIsUsedUp() {
    reads(MUCH);
    collects(2_000, 0.8);
    passes(19_999);
    assertThat(reads(0.9)).isFalse();
    passes(1);
    assertThat(reads(0.89)).isFalse();
    assertThat(reads(0.9)).isTrue();
    collects(2_000, 0.88);
    passes(20_000);
    assertThat(reads(0.99)).as("it is full, and known to be").isFalse();
  }

  @Test
  void hasNoRoomOnceLittleLessIsInUse() {
    reads(MUCH);
    collects(10, MUCH);
    passes(1_000);
    assertThat(reads(0.81)).isTrue();
    collects(10, 0.81);
    assertThat(heap.isFull()).isTrue();
    assertThat(reads(0.79)).isFalse();
    assertThat(heap.isFull()).isFalse();
    assertThat(reads(0.84)).isFalse();
    assertThat(heap.isFull()).isFalse();
  }

  @Test
  void aTwentiethOfTheTimeIsSpentOnCollections() {
    reads(MUCH);
    collects(2_000, MUCH);
    passes(39_999);
    assertThat(reads(MUCH)).isFalse();
    passes(1);
    assertThat(reads(MUCH)).isTrue();
  }

  private boolean reads(double inUse) {
    return heap.read(nowNanos, inUse);
  }

  private void collects(long millis, double left) {
    long beganNanos = nowNanos;
    passes(millis);
    heap.collected(beganNanos, nowNanos, left);
  }

  private void passes(long millis) {
    nowNanos += Duration.ofMillis(millis).toNanos();
  }
}
