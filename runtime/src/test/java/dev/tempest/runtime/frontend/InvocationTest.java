package dev.tempest.runtime.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.Answer;
import org.junit.jupiter.api.Test;

/** What is said of requests that are refused. */
final class InvocationTest {
  /** It is there for services that a primary keeps, and no application can call it. */
  @Test
  void theViewServiceIsNotAmongThoseThatAreKnown() {
    assertThat(unknown("bank, tempest-views"))
        .isEqualTo("No server hosts 'bnk'; did you mean 'bank'? (known: bank)");
    assertThat(unknown("tempest-views")).isEqualTo("No server hosts 'bnk'; known: none");
    assertThat(unknown("")).isEqualTo("No server hosts 'bnk'; known: none");
  }

  private static String unknown(String hosted) {
    return Invocation.explain(new Answer.Refused(Answer.Reason.UNKNOWN_SERVICE, hosted), "bnk");
  }
}
