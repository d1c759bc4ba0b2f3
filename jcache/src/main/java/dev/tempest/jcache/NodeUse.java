package dev.tempest.jcache;

import dev.tempest.Node;
import dev.tempest.Tempest;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * What a manager has of a node: one that was given, or the one that all managers of the process
 * share. That joins when the first of them has a cache, and leaves when the last of them closes.
 * Thread-safe.
 */
final class NodeUse implements AutoCloseable {
  private static final Object LOCK = new Object();
  private static @Nullable Node ofProcess;
  private static int users;

  private final @Nullable Node given;
  private @Nullable Node joined;

  NodeUse(@Nullable Node given) {
    this.given = given;
  }

  Node get() {
    if (given != null) {
      return given;
    }
    synchronized (LOCK) {
      if (joined == null) {
        Node shared = ofProcess == null ? join() : ofProcess;
        ofProcess = shared;
        joined = shared;
        users++;
      }
      return joined;
    }
  }

  private static Node join() {
    try {
      return Tempest.join();
    } catch (RuntimeException failed) {
      throw new CacheException("There is no node: " + failed.getMessage(), failed);
    }
  }

  @Override
  public void close() {
    synchronized (LOCK) {
      if (joined == null) {
        return;
      }
      joined = null;
      users--;
      if (users == 0 && ofProcess != null) {
        ofProcess.close();
        ofProcess = null;
      }
    }
  }
}
