package dev.tempest.runtime.node;

import dev.tempest.config.ConfigException;
import dev.tempest.protocol.checkpoint.CheckpointFiles;
import dev.tempest.protocol.checkpoint.Disk;
import dev.tempest.protocol.checkpoint.LogFiles;
import dev.tempest.protocol.order.Order;
import java.io.IOException;

/**
 * What a replica has left in the folder of its process, by the names of the files: checkpoints, a
 * log, or both. Which of them counts depends on how it is hosted now. What nobody would read must
 * not be lost in silence, so it is refused.
 *
 * @param name of the service
 */
record LeftBehind(Disk disk, String name, boolean isCheckpoint, boolean isLog) {
  static LeftBehind of(Disk disk, String cluster, String name) throws IOException {
    return new LeftBehind(
        disk,
        name,
        new CheckpointFiles(disk, cluster, name).isThere(),
        new LogFiles(disk, cluster, name, LogFiles.FILE_BYTES).isThere());
  }

  /**
   * Refuses to begin without what is there. By which order a checkpoint was written shows when it
   * is read.
   *
   * @throws ConfigException if there is something that a replica of this order does not read
   */
  void requireRead(Order order) {
    switch (order) {
      case Order.ByTime byTime ->
          require(!isLog, "a log", "one with consistency: eventual begins without it");
      case Order.ByConsensus byConsensus -> {
        if (!byConsensus.stores()) {
          require(
              !isCheckpoint && !isLog,
              words(),
              "one with consistency: linearizable and log: memory begins without it");
        }
      }
    }
  }

  /** Refuses to begin without all of it. */
  void requireNothing(String instead) {
    require(!isCheckpoint && !isLog, words(), instead);
  }

  private String words() {
    if (isCheckpoint && isLog) {
      return "a checkpoint and a log";
    }
    return isLog ? "a log" : "a checkpoint";
  }

  private void require(boolean holds, String what, String instead) {
    if (!holds) {
      throw new ConfigException(
          Checkpoints.KEY,
          "there is %s of %s in %s, and %s".formatted(what, name, disk, instead),
          "host it as before; or, if what it holds is not needed any more, delete its files there");
    }
  }
}
