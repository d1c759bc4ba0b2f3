package dev.tempest.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration cannot work; the message says what, where, and what to do. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param what is wrong
   * @param where it was read: file and line, environment variable or option
   * @param remedy what to do
   */
  public ConfigException(String what, String where, String remedy) {
    super(what + "; " + where + "; " + remedy);
  }

  private ConfigException(String message) {
    super(message);
  }

  /**
   * All that is wrong as one exception, whose message has a line for each.
   *
   * @param problems at least one
   */
  public static ConfigException of(List<ConfigException> problems) {
    if (problems.size() == 1) {
      return problems.getFirst();
    }
    ConfigException all =
        new ConfigException(
            problems.stream().map(Throwable::getMessage).collect(Collectors.joining("\n")));
    problems.forEach(all::addSuppressed);
    return all;
  }
}
