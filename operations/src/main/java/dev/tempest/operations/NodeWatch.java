package dev.tempest.operations;

import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.admin.NodeVitals;
import org.jspecify.annotations.Nullable;

/**
 * How the node of this process is. However many ask, its event loop is asked twice a second at
 * most; and whoever asks a loop that hangs waits for a second or two.
 *
 * <p>Thread-safe.
 */
final class NodeWatch {
  private final Recent<NodeHealth> health;
  private final Recent<Known> known;
  private volatile Known latest = new Known(null);

  /**
   * What is known of a node.
   *
   * @param vitals null as long as it has never said any
   */
  private record Known(@Nullable VitalsIndex vitals) {}

  /** Asks a monitor. */
  NodeWatch(NodeMonitor monitor) {
    this.health = new Recent<>(monitor::health);
    this.known = new Recent<>(() -> ask(monitor));
  }

  private Known ask(NodeMonitor monitor) {
    VitalsIndex before = latest.vitals;
    NodeVitals vitals = monitor.vitals().orElse(before == null ? null : before.vitals());
    if (vitals != null) {
      latest = new Known(new VitalsIndex(vitals, monitor.counts()));
    }
    return latest;
  }

  NodeHealth health() {
    return health.get();
  }

  /** As it was, if it is too busy to say how it is; null as long as it has never said that. */
  @Nullable VitalsIndex vitals() {
    return known.get().vitals();
  }
}
