package dev.tempest.jcache;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * One operation after the other on each key, in this process. So user code runs once for an
 * operation, and listeners hear of a key in order. Thread-safe.
 */
final class KeyLocks {
  /** The longest wait: user code that writes to other keys meanwhile may wait for itself. */
  static final Duration WAIT_MAX = Duration.ofSeconds(10);

  private static final int LOCKS = 256;

  private final ReentrantLock[] locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(ReentrantLock[]::new);

  <R extends @Nullable Object> R alone(Object key, Supplier<R> operation) {
    ReentrantLock lock = locks[Math.floorMod(key.hashCode(), LOCKS)];
    try {
      if (!lock.tryLock(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new CacheException(
            "Another operation on this key takes more than %d s: a loader, a writer, a processor or"
                    .formatted(WAIT_MAX.toSeconds())
                + " a listener is slow, or writes to another key itself");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new CacheException("Interrupted; nothing was written", interrupted);
    }
    try {
      return operation.get();
    } finally {
      lock.unlock();
    }
  }
}
