package dev.tempest.operations;

import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.admin.NodeVitals;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The latest that a node said of itself. A scrape reads dozens of meters, and asks the node once.
 *
 * <p>Thread-safe.
 */
final class Readings {
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * What a node said of itself.
   *
   * @param vitals null as long as it has never said any
   */
  record Reading(NodeHealth health, @Nullable NodeVitals vitals) {}

  private final NodeMonitor monitor;
  private final Consumer<NodeVitals> follower;
  private @Nullable Reading latest;
  private long latestNanos;

  /** Tells {@code follower} each that it reads. */
  Readings(NodeMonitor monitor, Consumer<NodeVitals> follower) {
    this.monitor = monitor;
    this.follower = follower;
  }

  /** What it said a moment ago, or says now. */
  synchronized Reading recent() {
    Reading known = latest;
    return known != null && System.nanoTime() - latestNanos < FRESH_NANOS ? known : now();
  }

  /** What it says now. A node that is too busy to say how it is, is as it was. */
  synchronized Reading now() {
    NodeVitals before = latest == null ? null : latest.vitals();
    NodeVitals vitals = monitor.vitals().orElse(null);
    Reading reading = new Reading(monitor.health(), vitals == null ? before : vitals);
    latest = reading;
    latestNanos = System.nanoTime();
    if (vitals != null) {
      follower.accept(vitals);
    }
    return reading;
  }
}
