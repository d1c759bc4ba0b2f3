package dev.tempest.spring.autoconfigure;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the threads of a node inherit from the one that makes it join. */
final class NodeThreads {
  private NodeThreads() {}

  /**
   * They go on after the web server, and would hold on to its class loader if they had that as
   * their context's.
   *
   * @param loader of the application
   */
  static <T> T with(@Nullable ClassLoader loader, Supplier<T> join) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return join.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
