package dev.tempest.config.file;

import dev.tempest.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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

  /** What a reading gives; empty if it found a problem. */
  <T> Optional<T> find(Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (ConfigException e) {
      found.add(e);
      return Optional.empty();
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
