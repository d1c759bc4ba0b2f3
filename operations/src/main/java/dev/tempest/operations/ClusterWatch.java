package dev.tempest.operations;

import dev.tempest.FrontEndConfig;
import dev.tempest.admin.Admin;
import dev.tempest.admin.ClusterStatus;
import dev.tempest.admin.NodeMonitor;
import java.util.List;
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

  private final NodeMonitor monitor;
  private final Recent<ClusterStatus> status = new Recent<>(this::ask);
  private List<String> asked = List.of();
  private @Nullable Admin admin;
  private boolean isClosed;

  /** Asks the members that the node knows. */
  ClusterWatch(NodeMonitor monitor) {
    this.monitor = monitor;
  }

  /**
   * How they were a moment ago, or are now.
   *
   * @throws IllegalStateException once it is closed
   */
  ClusterStatus look() {
    return status.get();
  }

  private ClusterStatus ask() {
    List<String> members = monitor.members().stream().limit(MEMBERS_MAX).toList();
    return ClusterStatus.ask(asking(members), members);
  }

  private synchronized Admin asking(List<String> members) {
    if (isClosed) { // By others, while this waited.
      throw new IllegalStateException("the node is not watched any more");
    }
    Admin asking = admin;
    if (asking == null || !members.equals(asked)) {
      disconnect();
      asking = connect(members);
      admin = asking;
      asked = members;
    }
    return asking;
  }

  private Admin connect(List<String> members) {
    return Admin.connect(
        FrontEndConfig.builder(members).cluster(monitor.cluster()).multicastPort(0).build());
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    disconnect();
  }

  private void disconnect() {
    if (admin != null) {
      admin.close();
      admin = null;
    }
  }
}
