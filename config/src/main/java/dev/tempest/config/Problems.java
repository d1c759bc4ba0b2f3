package dev.tempest.config;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with a configuration, so that all of it is said at once. */
final class Problems {
  private final List<ConfigException> found = new ArrayList<>();

  void add(ConfigException problem) {
    found.add(problem);
  }

  /** Runs what may find a problem; the rest is read nevertheless. */
  void attempt(Runnable reading) {
    try {
      reading.run();
    } catch (ConfigException e) {
      found.add(e);
    }
  }

  /**
   * Ends the reading if something is wrong.
   *
   * @throws ConfigException with all that was found
   */
  void throwIfAny() {
    if (!found.isEmpty()) {
      throw ConfigException.of(found);
    }
  }
}
