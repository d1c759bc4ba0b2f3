package dev.tempest.config.file;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 500ms}, {@code 30m}; and as they read them. */
public final class DurationText {
  static final String FORM = "([0-9]{1,6}) ?(ms|s|m|h|d)";

  /** Longer ones are not counted in milliseconds. */
  private static final long SHORT_SECONDS = 86_400L * 365;

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

  /** A time in the largest unit that leaves no rest, such as 500 ms, 1 s or 11 minutes. */
  public static String of(Duration time) {
    long seconds = time.toSeconds();
    if (time.toNanosPart() != 0) {
      boolean isShort = time.toNanosPart() % 1_000_000 == 0 && Math.abs(seconds) < SHORT_SECONDS;
      return isShort ? time.toMillis() + " ms" : time.toString();
    }
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + " s";
    }
    if (seconds % 3_600 != 0) {
      return counted(seconds / 60, "minute");
    }
    return seconds % 86_400 == 0
        ? counted(seconds / 86_400, "day")
        : counted(seconds / 3_600, "hour");
  }

  private static String counted(long count, String unit) {
    return count + " " + unit + (count == 1 ? "" : "s");
  }
}
