package dev.tempest.config.file;

import dev.tempest.config.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A text that somebody wrote, and where it stands.
 *
 * @param where file and line, environment variable or option
 */
record ConfigText(String value, Place where) {
  /**
   * What the text means.
   *
   * @param remedy what to do if it means nothing
   * @param parser may throw an {@link IllegalArgumentException} that says what is wrong
   * @throws ConfigException if the parser throws
   */
  <T> T parse(String remedy, Function<String, T> parser) {
    try {
      return parser.apply(value);
    } catch (NumberFormatException e) {
      throw where.refusal("'" + value + "' is not a number", remedy);
    } catch (IllegalArgumentException e) {
      throw where.refusal(String.valueOf(e.getMessage()), remedy);
    }
  }

  /**
   * The one of these that the text names, in lower case.
   *
   * @param what they are
   * @throws ConfigException if it is none of them
   */
  <E extends Enum<E>> E choose(String what, List<E> values) {
    for (E candidate : values) {
      if (word(candidate).equals(value)) {
        return candidate;
      }
    }
    throw where.refusal(
        "unknown " + what + " '" + value + "'",
        Spelling.advice(value, values.stream().map(ConfigText::word).toList()));
  }

  /** The word in configuration files for a choice. */
  static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The items of a list, at least one, as one text. */
  static ConfigText joined(List<ConfigText> texts) {
    return new ConfigText(
        texts.stream().map(ConfigText::value).collect(Collectors.joining(", ")),
        texts.getFirst().where());
  }

  /** The parts of a list with commas between. */
  List<ConfigText> split() {
    return Arrays.stream(value.split(",", -1))
        .map(part -> new ConfigText(part.strip(), where))
        .toList();
  }
}
