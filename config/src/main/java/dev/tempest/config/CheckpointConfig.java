package dev.tempest.config;

import dev.tempest.config.file.DurationText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether and when a node writes what it has to disk, so that a cluster whose processes all end at
 * once comes back. Immutable.
 *
 * @param folder of this process alone; empty for no checkpoints
 * @param every how long after one checkpoint the next is begun, if there is something new
 */
public record CheckpointConfig(Optional<Path> folder, Duration every) {
  /** More often a node would do little else. */
  static final Duration EVERY_MIN = Duration.ofSeconds(1);

  static final Duration EVERY_MAX = Duration.ofDays(1);

  /** No checkpoints. */
  static final CheckpointConfig NONE =
      new CheckpointConfig(Optional.empty(), Duration.ofMinutes(1));

  /** Refuses times that cannot work. */
  public CheckpointConfig {
    if (every.compareTo(EVERY_MIN) < 0 || every.compareTo(EVERY_MAX) > 0) {
      throw new IllegalArgumentException(
          "checkpoints must be written every 1 s to 1 day, not " + DurationText.of(every));
    }
  }

  /** The same in a folder; none if that is empty. */
  CheckpointConfig in(String name) {
    try {
      return new CheckpointConfig(
          name.isEmpty() ? Optional.empty() : Optional.of(Path.of(name)), every);
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException("'" + name + "' is no path of a folder", invalid);
    }
  }
}
