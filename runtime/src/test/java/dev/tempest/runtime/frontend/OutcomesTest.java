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

  private static String unknown(Answer.@Nullable Refused refusal) {
    Ending ending = new Ending.OfRequest(new Completion.Unknown(3, refusal));
    Outcome<String> outcome = Outcomes.of(ending, true, Duration.ofSeconds(2), bytes -> "");
    return ((Outcome.Unknown<String>) outcome).detail();
  }
}
