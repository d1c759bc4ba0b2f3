package dev.tempest.jcache;

import dev.tempest.Node;
import dev.tempest.Tempest;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** A node that joins for its first user, and leaves with the last. Thread-safe. */
final class SharedNode {
  /** For all managers of the process. */
  static final SharedNode OF_PROCESS = new SharedNode(Tempest::join);

  private final Supplier<Node> joining;
  private @Nullable Node node;
  private int users;

  SharedNode(Supplier<Node> joining) {
    this.joining = joining;
  }

  synchronized Node enter() {
    Node entered = node == null ? join() : node;
    node = entered;
    users++;
    return entered;
  }

  private Node join() {
    try {
      return joining.get();
    } catch (RuntimeException failed) {
      throw new CacheException("There is no node: " + failed.getMessage(), failed);
    }
  }

  synchronized void leave() {
    users--;
    if (users == 0 && node != null) {
      node.close();
      node = null;
    }
  }
}
