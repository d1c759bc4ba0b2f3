package dev.tempest.config;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration cannot work; the message says where, what, and what to do. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Somebody may have written a megabyte where a word was expected. */
  private static final int LINE_MAX_CHARS = 400;

  private final int line;

  /**
   * @param where it was read: file and line, environment variable or option
   * @param what is wrong
   * @param remedy what to do
   */
  public ConfigException(String where, String what, String remedy) {
    this(where, 0, what, remedy);
  }

  /**
   * As {@link #ConfigException(String, String, String)}, for a place in a file.
   *
   * @param line of the file, by which {@link #of} sorts
   */
  public ConfigException(String where, int line, String what, String remedy) {
    super(
        where
            + ": "
            + what.lines().map(ConfigException::shortened).collect(Collectors.joining("\n"))
            + ". "
            + Character.toUpperCase(remedy.charAt(0))
            + remedy.substring(1));
    this.line = line;
  }

  private ConfigException(String message) {
    super(message);
    this.line = 0;
  }

  /** Without its middle if it is long: a value stands in quotes before what is wrong with it. */
  private static String shortened(String text) {
    return text.length() <= LINE_MAX_CHARS
        ? text
        : text.substring(0, LINE_MAX_CHARS / 2)
            + " ... "
            + text.substring(text.length() - LINE_MAX_CHARS / 2);
  }

  /**
   * All that is wrong as one exception, whose message has a line for each, in the order of the
   * file.
   *
   * @param problems at least one
   */
  public static ConfigException of(List<ConfigException> problems) {
    return problems.size() == 1
        ? problems.getFirst()
        : new ConfigException(
            problems.stream()
                .sorted(Comparator.comparingInt(problem -> problem.line))
                .map(Throwable::getMessage)
                .collect(Collectors.joining("\n")));
  }
}
