package dev.tempest.config.file;

import dev.tempest.config.ConfigException;

/**
 * Where something was written.
 *
 * @param name a file, an environment variable or an option
 * @param line of the file, from 1; 0 where there are no lines
 */
record Place(String name, int line) {
  /** A place without lines. */
  static Place of(String name) {
    return new Place(name, 0);
  }

  /** The refusal of what is written here. */
  ConfigException refusal(String what, String remedy) {
    return new ConfigException(toString(), line, what, remedy);
  }

  @Override
  public String toString() {
    return line == 0 ? name : name + " line " + line;
  }
}
