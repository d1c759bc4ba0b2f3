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
 * @param log where the logs of linearizable services and collections are
 */
public record CheckpointConfig(Optional<Path> folder, Duration every, Log log) {
  /** Where what a majority has agreed on is kept by each of its members. */
  public enum Log {
    /** In memory: it is gone if most of the processes end at once. */
    MEMORY,
    /** In the folder, before it counts: it survives the end of all processes and machines. */
    DISK,
    /**
     * In the folder, before it counts; on the disk only while a member is missing: it survives the
     * end of all processes, and of all machines but for most of them at once.
     */
    ADAPTIVE
  }

  /** More often a node would do little else. */
  static final Duration EVERY_MIN = Duration.ofSeconds(1);

  static final Duration EVERY_MAX = Duration.ofDays(1);

  /** No checkpoints. */
  static final CheckpointConfig NONE =
      new CheckpointConfig(Optional.empty(), Duration.ofMinutes(1), Log.MEMORY);

  /** Refuses times that cannot work. */
  public CheckpointConfig {
    if (every.compareTo(EVERY_MIN) < 0 || every.compareTo(EVERY_MAX) > 0) {
      throw new IllegalArgumentException(
          "checkpoints must be written every 1 s to 1 day, not " + DurationText.of(every));
    }
  }

  /** Refuses logs that are to be stored nowhere. */
  void requireFolder() {
    if (log != Log.MEMORY && folder.isEmpty()) {
      throw new IllegalArgumentException(
          "logs are to be stored, and there is no checkpoint-folder for them");
    }
  }

  /** The same in a folder; none if that is empty. */
  CheckpointConfig in(String name) {
    try {
      return new CheckpointConfig(
          name.isEmpty() ? Optional.empty() : Optional.of(Path.of(name)), every, log);
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException("'" + name + "' is no path of a folder", invalid);
    }
  }

  /** The same as often as that. */
  CheckpointConfig every(Duration time) {
    return new CheckpointConfig(folder, time, log);
  }

  /** The same with logs there. */
  CheckpointConfig log(Log where) {
    return new CheckpointConfig(folder, every, where);
  }
}
