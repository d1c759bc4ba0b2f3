package dev.tempest.config;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A text that somebody wrote, and where it stands.
 *
 * @param where file and line, environment variable or option
 */
public record ConfigText(String value, String where) {
  /**
   * What the text means.
   *
   * @param remedy what to do if it means nothing
   * @param parser may throw an {@link IllegalArgumentException} that says what is wrong
   * @throws ConfigException if the parser throws
   */
  public <T> T parse(String remedy, Function<String, T> parser) {
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      String what =
          e instanceof NumberFormatException
              ? "'" + value + "' is not a number"
              : String.valueOf(e.getMessage());
      ConfigException refusal = new ConfigException(what, where, remedy);
      refusal.initCause(e);
      throw refusal;
    }
  }

  /** The parts of a list with commas between. */
  public List<ConfigText> split() {
    return Arrays.stream(value.split(",", -1))
        .map(part -> new ConfigText(part.strip(), where))
        .toList();
  }
}
