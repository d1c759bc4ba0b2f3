package dev.tempest.runtime.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Outcome;
import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.wire.Answer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of how requests ended. */
class OutcomesTest {
  @Test
  void whatIsUnknownNamesWhatWasRefused() {
    var refusal = new Answer.Refused(Answer.Reason.BAD_ARGUMENTS, "Cart.add(String): too deep");
    assertThat(unknown(refusal))
        .isEqualTo(
            "No reply in 2 s (3 attempts) from some servers; another one refuses it:"
                + " Cart.add(String): too deep. Read the value before retrying.");
    assertThat(unknown(null))
        .isEqualTo("No reply in 2 s (3 attempts). Read the value before retrying.");
  }

  @Test
  void whatHadNextToNoTimeSaysSo() {
    assertThat(unknown(null, Duration.ofNanos(999_999)))
        .startsWith("No reply in less than 1 ms (3 attempts)");
    assertThat(unknown(null, Duration.ofMillis(1))).startsWith("No reply in 1 ms (3 attempts)");
  }

  private static String unknown(Answer.@Nullable Refused refusal) {
    return unknown(refusal, Duration.ofSeconds(2));
  }

  private static String unknown(Answer.@Nullable Refused refusal, Duration deadline) {
    Ending ending = new Ending.OfRequest(new Completion.Unknown(3, refusal));
    Outcome<String> outcome = Outcomes.of(ending, true, deadline, bytes -> "");
    return ((Outcome.Unknown<String>) outcome).detail();
  }
}
