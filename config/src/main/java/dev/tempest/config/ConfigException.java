package dev.tempest.config;

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
}
