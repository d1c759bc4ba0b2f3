package dev.tempest.config.file;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 500ms}, {@code 30m}. */
final class DurationText {
  static final String FORM = "([0-9]{1,6}) ?(ms|s|m|h|d)";

  private static final Pattern VALID = Pattern.compile(FORM);

  private DurationText() {}

  /**
   * The time that is written.
   *
   * @throws IllegalArgumentException if it reads otherwise, saying how
   */
  static Duration parse(String text) {
    Matcher matcher = VALID.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time with a unit (ms, s, m, h or d)");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }
}
