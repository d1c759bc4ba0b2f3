package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** A test that cannot run is skipped, or fails where it is required. */
final class NeededTest {
  private static final Optional<String> REASON = Optional.of("Go is not installed");

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "namespaces"})
  void isSkippedWithTheReasonWhereItIsNotRequired(String required) {
    assertThatThrownBy(() -> Needed.PORCUPINE.unless(REASON, required))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("Go is not installed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"porcupine", "namespaces, porcupine"})
  void failsWithTheReasonWhereItIsRequired(String required) {
    assertThatThrownBy(() -> Needed.PORCUPINE.unless(REASON, required))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("REQUIRED_TESTS=" + required)
        .hasMessageContaining("Go is not installed");
  }

  @Test
  void runsWhereAllIsThere() {
    assertThatCode(() -> Needed.PORCUPINE.unless(Optional.empty(), "namespaces,porcupine"))
        .doesNotThrowAnyException();
  }

  @Test
  void aNameThatStandsForNothingIsRefused() {
    assertThatThrownBy(() -> Needed.PORCUPINE.unless(Optional.empty(), "porcupin"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("REQUIRED_TESTS=porcupin")
        .hasMessageContaining("porcupine");
  }
}
