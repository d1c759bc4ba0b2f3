package dev.tempest.operations;

import dev.tempest.FrontEndConfig;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.NodeMonitor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How all members of the cluster are, as {@code tempest status} asks them. However many ask here,
 * the members are asked twice a second at most.
 *
 * <p>Thread-safe.
 */
final class ClusterWatch implements AutoCloseable {
  /** Nobody looks at more. */
  private static final int MEMBERS_MAX = 64;

  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final NodeMonitor monitor;
  private List<String> asked = List.of();
  private @Nullable Admin admin;
  private @Nullable ClusterStatus latest;
  private long latestNanos;

  /** Asks the members that the node knows. */
  ClusterWatch(NodeMonitor monitor) {
    this.monitor = monitor;
  }

  /** How they were a moment ago, or are now. */
  synchronized ClusterStatus look() {
    ClusterStatus known = latest;
    if (known != null && System.nanoTime() - latestNanos < FRESH_NANOS) {
      return known;
    }
    List<String> members = monitor.members().stream().limit(MEMBERS_MAX).toList();
    Admin asking = admin;
    if (asking == null || !members.equals(asked)) {
      close();
      asking = connect(members);
      admin = asking;
      asked = members;
    }
    ClusterStatus told = ClusterStatus.ask(asking, members);
    latest = told;
    latestNanos = System.nanoTime();
    return told;
  }

  private Admin connect(List<String> members) {
    return Admin.connect(
        FrontEndConfig.builder(members).cluster(monitor.cluster()).multicastPort(0).build());
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close();
      admin = null;
    }
  }
}
