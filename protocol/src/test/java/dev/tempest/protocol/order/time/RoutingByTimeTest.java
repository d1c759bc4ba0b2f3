package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Routing;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Front-ends stamp updates of several services. */
class RoutingByTimeTest {
  private static final long EARLY = 3;
  private static final long LATE = 4;
  private static final long NOW_NANOS = 1_700_000_000_000_000_000L;
  private static final long DAY_NANOS = Duration.ofDays(1).toNanos();
  private static final int BEHIND_LOG_MAX_MILLIS = 10_000;
  private static final RequestId ID = new RequestId(9, 1);

  private final RoutingByTime routing = new RoutingByTime(Epochs.USUAL, BEHIND_LOG_MAX_MILLIS);

  @Test
  void servicesWhoseClocksAreADayApartAreBothServed() {
    routing.executed(LATE, part(NOW_NANOS), NOW_NANOS);
    Stamped course = begin(EARLY);

    assertThat(course.refused(EARLY, part(NOW_NANOS - DAY_NANOS))).isEqualTo(Routing.Next.SEND);
    assertThat(course.nanos()).isLessThan(NOW_NANOS - DAY_NANOS / 2);
    assertThat(begin(LATE).nanos()).isGreaterThanOrEqualTo(NOW_NANOS);
  }

  /** Only the clock of the leader counts. */
  @Test
  void aServiceWithALogAnswersReadsByClocksThatAreADayApart() {
    routing.executed(LATE, new OrderPart.Logged(Stamp.atNanos(NOW_NANOS), 7), NOW_NANOS);
    Stamped course = begin(LATE);
    OrderPart leader = new OrderPart.Logged(Stamp.atNanos(NOW_NANOS - DAY_NANOS), 7);

    assertThat(course.refused(LATE, leader)).isEqualTo(Routing.Next.SEND);
    assertThat(course.nanos()).isLessThan(NOW_NANOS - DAY_NANOS / 2);
  }

  /** A copy of it may be executed until then. */
  @Test
  void whatALogHadNoRoomForEndsOnceTheLogIsFarBeyondAllItsStamps() {
    Stamped course = begin(LATE);
    assertThat(course.refused(LATE, log(0), Reason.STAMP_EXPIRED)).isEqualTo(Routing.Next.SEND);

    assertThat(course.refused(LATE, log(0), Reason.OVERLOADED)).isEqualTo(Routing.Next.WAIT);
    assertThat(course.refused(LATE, log(BEHIND_LOG_MAX_MILLIS), Reason.STAMP_EXPIRED))
        .isNotInstanceOf(Routing.Next.End.class);
    assertThat(course.refused(LATE, log(3 * BEHIND_LOG_MAX_MILLIS), Reason.STAMP_EXPIRED))
        .isInstanceOfSatisfying(
            Routing.Next.End.class,
            end -> assertThat(end.answer()).isEqualTo(new Answer.Refused(Reason.OVERLOADED, "")));
  }

  /** Where nothing is agreed on for a while, the time of the log stands still. */
  @Test
  void aLogThatStoodStillSetsNoClockBack() {
    Stamped course = begin(LATE);
    assertThat(course.refused(LATE, log(-5_000), Reason.STAMP_EXPIRED))
        .isEqualTo(Routing.Next.SEND);
    assertThat(course.nanos()).isGreaterThanOrEqualTo(NOW_NANOS);
  }

  /** Who may have forgotten it shows its own clock. */
  @Test
  void whatALogMayHaveForgottenDoesNotEnd() {
    Stamped course = begin(LATE);
    assertThat(course.refused(LATE, log(0), Reason.OVERLOADED)).isEqualTo(Routing.Next.WAIT);
    assertThat(
            course.refused(
                LATE,
                part(NOW_NANOS + 3L * BEHIND_LOG_MAX_MILLIS * 1_000_000),
                Reason.STAMP_EXPIRED))
        .isEqualTo(Routing.Next.SEND);
  }

  /** What clients have seen comes from outside: it may be forged, or of a clock that is ahead. */
  @Test
  void whatAClientHasSeenOfAFarFutureDelaysOnlyItself() {
    long far = Stamp.atNanos(NOW_NANOS + DAY_NANOS);
    Seen seen = SeenByTime.of(new RequestId(8, 1), far);
    Routing.Course course = routing.begin(EARLY, ID, seen, Long.MAX_VALUE, NOW_NANOS);
    course.ask(1, 0, List.of(1L), List.of());
    assertThat(Stamp.of(course.part())).isEqualTo(far + 1);
    assertThat(begin(EARLY).nanos()).isEqualTo(NOW_NANOS);

    assertThat(new Stamped(course).refused(EARLY, part(NOW_NANOS))).isEqualTo(Routing.Next.WAIT);
    assertThat(Stamp.of(course.part())).as("it counts after that all the same").isEqualTo(far + 1);
    assertThat(begin(EARLY).nanos()).isEqualTo(NOW_NANOS);
  }

  /** Each of them is only a little ahead of the one before. */
  @Test
  void norDoManyHandlesRaiseTheClock() {
    for (int more = 1; more < 10; more++) {
      long ahead = Stamp.atNanos(NOW_NANOS + more * 4_000_000_000L);
      Seen seen = SeenByTime.of(new RequestId(8, more), ahead);
      routing.begin(EARLY, ID, seen, Long.MAX_VALUE, NOW_NANOS);
    }
    assertThat(begin(EARLY).nanos()).isLessThan(NOW_NANOS + 5_000_000_000L);
  }

  /** A replica took it, whose clock is ahead of this one. */
  @Test
  void whatIsAskedForAfterAnAnswerCountsAfterIt() {
    long far = Stamp.atNanos(NOW_NANOS + 6_000_000_000L);
    Seen seen = SeenByTime.of(new RequestId(8, 1), far);
    Routing.Course course = routing.begin(EARLY, ID, seen, Long.MAX_VALUE, NOW_NANOS);
    course.ask(1, 0, List.of(1L), List.of());
    OrderPart executed = new OrderPart.Stamped(far + 7);
    routing.executed(EARLY, executed, NOW_NANOS);

    assertThat(((SeenByTime) course.seen(executed)).stamp()).isGreaterThanOrEqualTo(far + 7);
    assertThat(Stamp.of(begin(EARLY).course().part())).isGreaterThan(far);
  }

  @Test
  void whatAClientHasSeenALittleAheadAllFollow() {
    long ahead = Stamp.atNanos(NOW_NANOS + 2_000_000_000L);
    Seen seen = SeenByTime.of(new RequestId(8, 1), ahead);
    Routing.Course course = routing.begin(EARLY, ID, seen, Long.MAX_VALUE, NOW_NANOS);
    assertThat(Stamp.of(course.part())).isGreaterThan(ahead);
    assertThat(Stamp.of(begin(EARLY).course().part())).isGreaterThan(Stamp.of(course.part()));
  }

  private static OrderPart log(int laterMillis) {
    return new OrderPart.Logged(Stamp.atNanos(NOW_NANOS + laterMillis * 1_000_000L), 7);
  }

  private Stamped begin(long service) {
    Routing.Course course = routing.begin(service, ID, null, Long.MAX_VALUE, NOW_NANOS);
    course.ask(1, 0, List.of(1L), List.of());
    return new Stamped(course);
  }

  private record Stamped(Routing.Course course) {
    Routing.Next refused(long service, OrderPart by) {
      return refused(service, by, Reason.STAMP_AHEAD);
    }

    Routing.Next refused(long service, OrderPart by, Reason why) {
      Answer refusal = new Answer.Refused(why, "");
      return course.refused(new Reply(service, ID, true, 1, by, 0, refusal), 1, NOW_NANOS);
    }

    long nanos() {
      return Stamp.millis(Stamp.of(course.part())) * 1_000_000;
    }
  }

  private static OrderPart part(long nanos) {
    return new OrderPart.Stamped(Stamp.atNanos(nanos));
  }
}
