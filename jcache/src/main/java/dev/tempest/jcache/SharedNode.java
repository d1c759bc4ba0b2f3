package dev.tempest.jcache;

import dev.tempest.Node;
import dev.tempest.Tempest;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * A node that joins for its first user, and leaves with the last. Who comes while it leaves waits,
 * and has another one. Thread-safe.
 */
final class SharedNode {
  /** For all managers of the process. */
  static final SharedNode OF_PROCESS = new SharedNode(Tempest::join, Node::close);

  private final Supplier<Node> joining;
  private final Consumer<Node> leaving;
  private @Nullable Node node;
  private int users;

  SharedNode(Supplier<Node> joining, Consumer<Node> leaving) {
    this.joining = joining;
    this.leaving = leaving;
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

  /** Even if it throws, the caller is no user any more, and the next one has another node. */
  synchronized void leave() {
    users--;
    Node used = node;
    if (users == 0 && used != null) {
      node = null;
      leaving.accept(used);
    }
  }
}
