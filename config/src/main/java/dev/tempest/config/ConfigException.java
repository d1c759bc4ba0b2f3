package dev.tempest.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration cannot work; the message says where, what, and what to do. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param where it was read: file and line, environment variable or option
   * @param what is wrong
   * @param remedy what to do
   */
  public ConfigException(String where, String what, String remedy) {
    super(
        where + ": " + what + ". " + Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1));
  }

  private ConfigException(String message) {
    super(message);
  }

  /**
   * All that is wrong as one exception, whose message has a line for each.
   *
   * @param problems at least one
   */
  static ConfigException of(List<ConfigException> problems) {
    return problems.size() == 1
        ? problems.getFirst()
        : new ConfigException(
            problems.stream().map(Throwable::getMessage).collect(Collectors.joining("\n")));
  }
}
