package dev.tempest.jcache;

import dev.tempest.Node;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one manager has of a node: a shared one from its first cache on, or one that was given. */
final class NodeUse implements AutoCloseable {
  private final @Nullable SharedNode shared;
  private @Nullable Node node;

  private NodeUse(@Nullable SharedNode shared, @Nullable Node node) {
    this.shared = shared;
    this.node = node;
  }

  static NodeUse of(SharedNode shared) {
    return new NodeUse(shared, null);
  }

  static NodeUse of(Node given) {
    return new NodeUse(null, given);
  }

  synchronized Node get() {
    Node used = node;
    if (used == null) {
      used = Objects.requireNonNull(shared).enter();
      node = used;
    }
    return used;
  }

  @Override
  public synchronized void close() {
    if (shared != null && node != null) {
      node = null;
      shared.leave();
    }
  }
}
