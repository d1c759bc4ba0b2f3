package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What tests of this module need of the machine. Without it they are skipped; but where {@value
 * #VARIABLE} names it, they fail, so that CI is not green without them.
 */
enum Needed {
  /** A {@link Network} of its own for each cluster. */
  NAMESPACES,
  /** The checker of histories, built with Go. */
  PORCUPINE;

  static final String VARIABLE = "REQUIRED_TESTS";

  /**
   * Skips or fails the test that calls it.
   *
   * @param reason why this cannot be had here; empty if it can
   */
  void unless(Optional<String> reason) {
    unless(reason, System.getenv(VARIABLE));
  }

  void unless(Optional<String> reason, @Nullable String required) {
    boolean isRequired = required(required).contains(name().toLowerCase(Locale.ROOT));
    if (reason.isPresent() && isRequired) {
      fail(VARIABLE + "=" + required + ": " + reason.get());
    }
    assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
  }

  /** A name that is misspelt would require nothing, so it is refused. */
  private static List<String> required(@Nullable String required) {
    List<String> names =
        Arrays.stream((required == null ? "" : required).split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();
    assertThat(Arrays.stream(values()).map(each -> each.name().toLowerCase(Locale.ROOT)))
        .as("what %s=%s names is one of", VARIABLE, required)
        .containsAll(names);
    return names;
  }
}
