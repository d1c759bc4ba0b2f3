package dev.tempest.operations;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question: half a second old at most, and asked once, however many want to know.
 * Who comes while it is asked waits for that answer.
 *
 * <p>Thread-safe.
 */
final class Recent<T> {
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Supplier<T> question;

  /** No monitor: many requests, each in a virtual thread, may wait for it. */
  private final ReentrantLock asking = new ReentrantLock();

  private volatile @Nullable Answer<T> latest;

  private record Answer<T>(T value, long nanos) {
    boolean isFresh() {
      return System.nanoTime() - nanos < FRESH_NANOS;
    }
  }

  Recent(Supplier<T> question) {
    this.question = question;
  }

  /** What was answered a moment ago, or is now. */
  T get() {
    Answer<T> known = latest;
    if (known != null && known.isFresh()) {
      return known.value();
    }
    asking.lock();
    try {
      Answer<T> meanwhile = latest;
      if (meanwhile != null && meanwhile.isFresh()) {
        return meanwhile.value();
      }
      T value = question.get();
      latest = new Answer<>(value, System.nanoTime());
      return value;
    } finally {
      asking.unlock();
    }
  }
}
