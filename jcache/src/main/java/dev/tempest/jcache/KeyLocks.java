package dev.tempest.jcache;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * One operation after the other on each key, in this process. So user code runs once for an
 * operation, and listeners hear of a key in order. Thread-safe.
 */
final class KeyLocks {
  /** The longest wait: user code that writes to the cache meanwhile may wait for itself. */
  static final Duration WAIT_MAX = Duration.ofSeconds(10);

  /** Those that somebody has or waits for. */
  private final ConcurrentMap<Object, KeyLock> locks = new ConcurrentHashMap<>();

  /** That of one key. A thread that has it may take it again. */
  static final class KeyLock {
    private final ReentrantLock lock = new ReentrantLock();
    private int users; // Changed only while the map holds the key.
    private long writes;

    /** How often whoever had it has written to the key; for whoever has it. */
    long writes() {
      return writes;
    }

    /** Counts a write; for whoever has it. */
    void written() {
      writes++;
    }
  }

  <R extends @Nullable Object> R alone(Object key, Function<KeyLock, R> operation) {
    KeyLock mine = entered(key);
    try {
      return alone(mine, operation);
    } finally {
      locks.computeIfPresent(key, (same, left) -> --left.users == 0 ? null : left);
    }
  }

  private KeyLock entered(Object key) {
    return locks.compute(
        key,
        (same, present) -> {
          KeyLock wanted = present == null ? new KeyLock() : present;
          wanted.users++;
          return wanted;
        });
  }

  private static <R extends @Nullable Object> R alone(
      KeyLock mine, Function<KeyLock, R> operation) {
    try {
      if (!mine.lock.tryLock(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new CacheException(
            "Another operation on this key takes more than %d s: a loader, a writer, a processor or"
                    .formatted(WAIT_MAX.toSeconds())
                + " a listener is slow, or writes to its cache itself");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new CacheException("Interrupted; nothing was written", interrupted);
    }
    try {
      return operation.apply(mine);
    } finally {
      mine.lock.unlock();
    }
  }

  /** How many keys somebody has or waits for. */
  int size() {
    return locks.size();
  }
}
