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
  void startsEmptyWhenNobodyAnswersAnyQuestion() {
    long nowNanos = 0;
    for (int question = 0; question < 5; question++) {
      assertThat(joining.startsEmpty(nowNanos)).isFalse();
      assertThat(joining.asksNow(nowNanos)).isTrue();
      assertThat(joining.ask(nowNanos)).isEqualTo(1 + question % 2);
      nowNanos = joining.nextTickNanos();
    }
    assertThat(joining.startsEmpty(nowNanos - 1)).isFalse();
    assertThat(joining.startsEmpty(nowNanos)).isTrue();
    assertThat(nowNanos).isEqualTo(SECOND_NANOS);
  }

  @Test
  void aStallOfItsOwnDoesNotCountAgainstTheOthers() {
    joining.ask(0);
    assertThat(joining.startsEmpty(30 * SECOND_NANOS)).isFalse();
    assertThat(joining.asksNow(30 * SECOND_NANOS)).isTrue();
  }

  @Test
  void doesNotStartEmptyWhileSomebodyWithStateIsHeardOf() {
    for (int question = 0; question < 20; question++) {
      joining.ask(0);
      joining.hasState(2);
    }
    assertThat(joining.startsEmpty(SECOND_NANOS)).isFalse();
    assertThat(joining.ask(SECOND_NANOS)).isEqualTo(2);
    assertThat(joining.nextTickNanos()).isEqualTo(2 * SECOND_NANOS);
  }
}
