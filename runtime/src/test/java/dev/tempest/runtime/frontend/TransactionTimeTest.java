package dev.tempest.runtime.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is said of transactions that have used up their time. */
final class TransactionTimeTest {
  private static final long BEGAN_NANOS = Long.MAX_VALUE - 7; // Such clocks wrap.
  private static final String NO_REPLY = "No reply in less than 1 ms (1 attempt).";

  private final TransactionTime time = new TransactionTime(Duration.ofMillis(500), BEGAN_NANOS);

  TransactionTimeTest() {
    time.run();
  }

  @Test
  void isOverAtItsEnd() {
    long endNanos = BEGAN_NANOS + Duration.ofMillis(500).toNanos();
    assertThat(time.left(endNanos - 1)).isEqualTo(Duration.ofNanos(1));
    assertThat(time.isOver(endNanos - 1)).isFalse();
    assertThat(time.isOver(endNanos)).isTrue();
  }

  @Test
  void whatCouldWaitForAMomentOnlyNamesTheTimeOfAllOfIt() {
    assertThat(time.over(NO_REPLY, Duration.ofNanos(1)))
        .isEqualTo(NO_REPLY + " That was all that was left of the 500 ms of the transaction.");
    assertThat(time.over(NO_REPLY, Duration.ofMillis(499))).isEqualTo(NO_REPLY);
  }

  @Test
  void whatHasRunSeveralTimesSaysWhy() {
    String why = "has run 2 times: others changed what it had read, a method that it calls is not";
    assertThat(time.over())
        .isEqualTo(
            "The transaction did not end in 500 ms: its function took too long. Nothing was"
                + " written.");
    time.run();
    assertThat(time.over())
        .startsWith("The transaction did not end in 500 ms. It " + why)
        .endsWith("Nothing was written.");
    assertThat(time.over(NO_REPLY, Duration.ofMillis(499)))
        .startsWith(NO_REPLY + " It " + why)
        .doesNotContain("left");
  }

  @Test
  void aFunctionThatIsSlowByItselfDoesNotRunAgain() {
    TransactionTime slow = new TransactionTime(Duration.ofSeconds(60), BEGAN_NANOS);
    slow.run();
    call(slow, 0, 10_000); // What servers take is not the function's fault.
    slow.asks(at(15_000), true);
    assertThat(slow.allowsAnother(at(15_000))).isTrue();
    slow.run();
    call(slow, 20_000, 20_100);
    call(slow, 23_100, 23_200);
    slow.asks(at(25_799), false);
    assertThat(slow.allowsAnother(at(25_800))).as("it was not to count yet").isTrue();
    slow.answered(at(25_800));
    slow.asks(at(25_801), true);
    assertThat(slow.allowsAnother(at(25_900))).isFalse();
    assertThat(slow.over())
        .isEqualTo(
            "The transaction did not count: its function took 5.6 s; a transaction has 5 s from its"
                + " first call. Nothing was written.");
  }

  private static void call(TransactionTime time, long askedMillis, long answeredMillis) {
    time.asks(at(askedMillis), false);
    time.answered(at(answeredMillis));
  }

  private static long at(long millis) {
    return BEGAN_NANOS + Duration.ofMillis(millis).toNanos();
  }
}
