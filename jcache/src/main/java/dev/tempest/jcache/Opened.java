package dev.tempest.jcache;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What a cache has opened, and closes with itself. Thread-safe once all is in it. */
final class Opened {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /** Remembers what can be closed. */
  <T extends @Nullable Object> T with(T part) {
    if (part instanceof AutoCloseable closeable) {
      parts.addFirst(closeable);
    }
    return part;
  }

  /** Closes all, what came last first, and then throws what went wrong. */
  void close() {
    Closing.all(parts);
  }

  /** Closes all because of a failure, which goes on to be thrown. */
  void closeBecauseOf(Throwable failure) {
    try {
      close();
    } catch (RuntimeException further) {
      failure.addSuppressed(further);
    }
  }
}
