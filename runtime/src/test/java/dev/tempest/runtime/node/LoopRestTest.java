package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Writes that wake a loop at rest, and those that need not. */
final class LoopRestTest {
  private static final long MILLI = 1_000_000;

  private long nowNanos = 1_000 * MILLI;
  private int wakeups;
  private final LoopRest rest = new LoopRest(() -> nowNanos, () -> wakeups++);

  @Test
  void endsWhenTheReplicaWantsATick() {
    rest.due(nowNanos + 10 * MILLI);
    assertThat(rest.begin(nowNanos + 50 * MILLI)).isEqualTo(nowNanos + 10 * MILLI);
    rest.due(nowNanos + 90 * MILLI);
    assertThat(rest.begin(nowNanos + 50 * MILLI)).isEqualTo(nowNanos + 50 * MILLI);
  }

  @Test
  void isEndedByAWriteThatIsDueAndOnlyOnce() {
    rest.begin(nowNanos + 50 * MILLI);
    rest.due(nowNanos);
    rest.wrote(false);
    rest.wrote(false);
    assertThat(wakeups).isEqualTo(1);
  }

  @Test
  void goesOnWhereTheWriteIsSentToNobody() {
    rest.begin(nowNanos + 50 * MILLI);
    rest.wrote(false);
    assertThat(wakeups).isZero();
  }

  @Test
  void isShortWhileThreadsWriteAndTheirWritesWakeNobody() {
    rest.due(nowNanos);
    rest.wrote(false);
    rest.due(nowNanos + 40 * MILLI);
    assertThat(rest.begin(nowNanos + 50 * MILLI)).isEqualTo(nowNanos + MILLI);
    rest.due(nowNanos);
    rest.wrote(false);
    assertThat(wakeups).isZero();
    nowNanos += 6 * MILLI;
    rest.due(nowNanos + 40 * MILLI);
    assertThat(rest.begin(nowNanos + 50 * MILLI)).isEqualTo(nowNanos + 40 * MILLI);
  }

  @Test
  void isEndedAtOnceBySomebodyWhoWaitsForOthersToHaveTheWrite() {
    rest.due(nowNanos);
    rest.wrote(false);
    rest.due(nowNanos + 40 * MILLI);
    rest.begin(nowNanos + 50 * MILLI);
    rest.wrote(true);
    assertThat(wakeups).isEqualTo(1);
  }

  @Test
  void isNotEndedByAWriteBeforeItBegins() {
    rest.due(nowNanos);
    rest.wrote(true);
    assertThat(wakeups).isZero();
  }
}
