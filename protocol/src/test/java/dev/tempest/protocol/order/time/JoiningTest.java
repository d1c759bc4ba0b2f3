package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JoiningTest {
  private static final long SECOND_NANOS = 1_000_000_000;

  private final Joining joining = new Joining(List.of(1L, 2L), 1_000, 0);

  @Test
  void startsEmptyOnceAllOthersSayThatTheyHaveNone() {
    joining.ask(0);
    joining.hasNone(1, 0);
    assertThat(joining.startsEmpty(0)).isFalse();
    joining.hasNone(2, 0);
    assertThat(joining.startsEmpty(0)).isTrue();
  }

  @Test
  void startsEmptyWhenNobodyIsHeardOf() {
    assertThat(joining.ask(0)).isEqualTo(1);
    assertThat(joining.startsEmpty(SECOND_NANOS - 1)).isFalse();
    assertThat(joining.startsEmpty(SECOND_NANOS)).isTrue();
  }

  @Test
  void waitsFromTheFirstQuestionAndNotFromItsOwnSlowStart() {
    assertThat(joining.startsEmpty(3 * SECOND_NANOS)).isFalse();
    assertThat(joining.asksNow(3 * SECOND_NANOS)).isTrue();
    joining.ask(3 * SECOND_NANOS);
    assertThat(joining.startsEmpty(4 * SECOND_NANOS - 1)).isFalse();
    assertThat(joining.startsEmpty(4 * SECOND_NANOS)).isTrue();
  }

  @Test
  void doesNotStartEmptyWhileSomebodyWithStateIsHeardOf() {
    joining.ask(0);
    joining.hasState(2, SECOND_NANOS / 2);
    assertThat(joining.startsEmpty(SECOND_NANOS)).isFalse();
    assertThat(joining.ask(SECOND_NANOS)).isEqualTo(2);
  }
}
