package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JoiningTest {
  private static final long SECOND_NANOS = 1_000_000_000;

  private final Joining joining = new Joining(List.of(1L, 2L), 0);

  @Test
  void startsEmptyOnceAllOthersSayThatTheyHaveNone() {
    joining.ask(0);
    joining.hasNone(1, 0);
    assertThat(joining.startsEmpty(0)).isFalse();
    joining.hasNone(2, 0);
    assertThat(joining.startsEmpty(0)).isTrue();
  }

  @Test
  void whoSaysNothingMayHaveState() {
    joining.hasNone(1, 0);
    boolean tellsPeople = false;
    for (int question = 0; question < 1_000; question++) {
      long nowNanos = joining.nextTickNanos();
      assertThat(joining.asksNow(nowNanos)).isTrue();
      assertThat(joining.ask(nowNanos)).isEqualTo(1 + question % 2);
      assertThat(joining.startsEmpty(nowNanos)).isFalse();
      tellsPeople |= joining.isHindered();
    }
    assertThat(tellsPeople).isTrue();
  }

  @Test
  void doesNotStartEmptyWhileSomebodyWithStateIsHeardOf() {
    joining.hasNone(1, 0);
    joining.hasNone(2, 0);
    joining.hasState(2, 0);
    assertThat(joining.startsEmpty(100 * SECOND_NANOS)).isFalse();
    assertThat(joining.ask(SECOND_NANOS)).isEqualTo(2);
  }

  @Test
  void aStateThatWasThereIsWaitedForForAWhile() {
    joining.hasState(2, 0);
    Joining later = new Joining(List.of(1L), SECOND_NANOS);
    later.remember(joining);
    later.hasNone(1, SECOND_NANOS);
    assertThat(later.startsEmpty(SECOND_NANOS)).isFalse();
    assertThat(later.startsEmpty(Joining.GONE_MILLIS * 1_000_000L)).isTrue();
  }

  @Test
  void oneThatIsAloneAsksNobody() {
    Joining alone = new Joining(List.of(), 0);
    alone.remember(joining);
    assertThat(alone.ask(0)).isZero();
    assertThat(alone.startsEmpty(0)).isTrue();
  }
}
