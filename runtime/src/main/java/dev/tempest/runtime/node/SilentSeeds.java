package dev.tempest.runtime.node;

import dev.tempest.config.HostPort;
import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.LogLines;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The seeds of a node that stays alone. With a mistyped one, it is a cluster of its own beside that
 * of the others, and both are healthy; but the first of several nodes is alone, too, until the next
 * one starts. So there is a warning, but only after a while.
 *
 * <p>Thread-safe.
 */
final class SilentSeeds {
  /** Within it, the nodes that are started together have started. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final System.Logger LOGGER = LogLines.logger(SilentSeeds.class);

  private final NodeConfig config;
  private final OwnPlace place;
  private volatile List<String> others = List.of();

  SilentSeeds(NodeConfig config, OwnPlace place) {
    this.config = config;
    this.place = place;
  }

  /** Where others should be, while these members are one, as configured; else empty. */
  List<String> amid(List<String> members) {
    return members.size() == 1 ? others : List.of();
  }

  /**
   * Warns once if nobody else is a member after so long. Returns then, or when the loop has ended.
   *
   * @param members none as long as this node is not one
   */
  void watch(Thread loop, Supplier<List<String>> members, Duration patience) {
    lookUp();
    try {
      if (loop.join(patience)) {
        return;
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return;
    }
    lookUp(); // A container that starts has no name yet.
    List<String> silent = amid(members.get());
    if (!silent.isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "This node is still alone in its cluster ''{0}'': nobody has come or answered from its"
              + " seeds {1}. If it is the first, and the others are yet to start, all is well. If"
              + " they run, they are another cluster with data of its own: check the seeds, that"
              + " ''cluster'' is the same there, and that no firewall stops UDP",
          config.cluster(),
          silent);
    }
  }

  /** Names are looked up, which may take long. */
  private void lookUp() {
    others =
        config.seeds().stream()
            .filter(seed -> !place.isAt(config, seed))
            .map(HostPort::toString)
            .toList();
  }
}
