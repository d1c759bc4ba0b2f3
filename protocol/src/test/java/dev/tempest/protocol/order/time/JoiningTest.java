package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Message.Prefix;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JoiningTest {
  private static final long SECOND_NANOS = 1_000_000_000;

  private static final Prefix NOTHING = new Prefix(-1, 0, 0);

  private final Joining joining = new Joining(nothing(), List.of(1L, 2L), 0);

  private static Joining.Own nothing() {
    return new Joining.Own(3, 1, 0);
  }

  @Test
  void startsEmptyOnceAllOthersSayThatTheyHaveNone() {
    joining.ask(0);
    joining.hasNone(1, NOTHING, 0);
    assertThat(joining.begins(NOTHING, 0)).isFalse();
    joining.hasNone(2, NOTHING, 0);
    assertThat(joining.begins(NOTHING, 0)).isTrue();
  }

  @Test
  void whoSaysNothingMayHaveState() {
    joining.hasNone(1, NOTHING, 0);
    boolean tellsPeople = false;
    for (int question = 0; question < 1_000; question++) {
      long nowNanos = joining.nextTickNanos();
      assertThat(joining.asksNow(nowNanos)).isTrue();
      assertThat(joining.ask(nowNanos)).isEqualTo(1 + question % 2);
      assertThat(joining.begins(NOTHING, nowNanos)).isFalse();
      tellsPeople |= joining.hindrance() != null;
    }
    assertThat(tellsPeople).isTrue();
  }

  @Test
  void doesNotStartEmptyWhileSomebodyWithStateIsHeardOf() {
    joining.hasNone(1, NOTHING, 0);
    joining.hasNone(2, NOTHING, 0);
    joining.hasState(2, 0);
    assertThat(joining.begins(NOTHING, 100 * SECOND_NANOS)).isFalse();
    assertThat(joining.ask(SECOND_NANOS)).isEqualTo(2);
  }

  @Test
  void aStateThatWasThereIsWaitedForForAWhile() {
    joining.hasState(2, 0);
    Joining later = new Joining(nothing(), List.of(1L), SECOND_NANOS);
    later.remember(joining);
    later.hasNone(1, NOTHING, SECOND_NANOS);
    assertThat(later.begins(NOTHING, SECOND_NANOS)).isFalse();
    assertThat(later.begins(NOTHING, Joining.GONE_MILLIS * 1_000_000L)).isTrue();
  }

  @Test
  void saysThatItWaitsForThoseWhoAreGone() {
    joining.hasState(2, 0);
    Joining later = new Joining(nothing(), List.of(), SECOND_NANOS);
    later.remember(joining);
    int told = 0;
    for (long at = SECOND_NANOS; !later.begins(NOTHING, at); at = later.nextTickNanos()) {
      later.ask(at);
      String hindrance = later.hindrance();
      told += hindrance == null ? 0 : 1;
      assertThat(hindrance == null || hindrance.contains("60 s after their last word")).isTrue();
    }
    assertThat(told).isBetween(2, 10);
  }

  @Test
  void oneThatIsAloneAsksNobody() {
    Joining alone = new Joining(nothing(), List.of(), 0);
    alone.remember(joining);
    assertThat(alone.ask(0)).isZero();
    assertThat(alone.begins(NOTHING, 0)).isTrue();
  }

  @Test
  void ofThoseWithACheckpointTheOneThatHasMoreBegins() {
    Joining less = new Joining(own(1, 2), List.of(2L), 0);
    Joining more = new Joining(own(2, 2), List.of(1L), 0);
    less.hasNone(2, settled(11), 0);
    more.hasNone(1, settled(10), 0);
    assertThat(less.begins(settled(10), Long.MAX_VALUE)).isFalse();
    assertThat(more.begins(settled(11), 0)).isTrue();
    assertThat(less.nextTickNanos()).as("no question after the other").isZero();
    less.ask(0);
    less.hasNone(2, settled(11), 1);
    assertThat(less.nextTickNanos()).isGreaterThan(1);
  }

  @Test
  void ofTwoThatHaveTheSameOneBegins() {
    Joining one = new Joining(own(1, 2), List.of(2L), 0);
    Joining other = new Joining(own(2, 2), List.of(1L), 0);
    one.hasNone(2, settled(10), 0);
    other.hasNone(1, settled(10), 0);
    assertThat(one.begins(settled(10), 0)).isTrue();
    assertThat(other.begins(settled(10), 0)).isFalse();
  }

  @Test
  void whoSharedTheCheckpointIsWaitedForForAWhile() {
    long untilNanos = 20 * SECOND_NANOS;
    Joining alone = new Joining(own(1, 3), List.of(), 0);
    Joining two = new Joining(own(1, 3), List.of(2L), 0);
    Joining all = new Joining(own(1, 3), List.of(2L, 3L), 0);
    two.hasNone(2, NOTHING, 0);
    all.hasNone(2, NOTHING, 0);
    all.hasNone(3, NOTHING, 0);
    assertThat(alone.begins(settled(10), untilNanos - 1)).isFalse();
    assertThat(two.begins(settled(10), untilNanos - 1)).isFalse();
    assertThat(alone.begins(settled(10), untilNanos)).isTrue();
    assertThat(two.begins(settled(10), untilNanos)).isTrue();
    assertThat(all.begins(settled(10), 0)).isTrue();
    boolean tellsPeople = false;
    for (long nowNanos = 0; nowNanos < untilNanos; nowNanos = alone.nextTickNanos()) {
      alone.ask(nowNanos);
      String hindrance = alone.hindrance();
      tellsPeople |= hindrance != null && hindrance.contains("1 of the 3 replicas");
    }
    assertThat(tellsPeople).isTrue();
  }

  private static Joining.Own own(long self, int replicas) {
    return new Joining.Own(self, replicas, 20 * SECOND_NANOS);
  }

  private static Prefix settled(long count) {
    return new Prefix(1_000 + count, count, 99 * count);
  }
}
