package dev.tempest.sessions.tomcat;

import dev.tempest.sessions.Unwritten;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Why sessions could not be read, or written as configured. Applications may wrap that, and pass it
 * on from another thread; what comes of collections of their own looks the same, and is theirs.
 *
 * <p>Thread-safe.
 */
final class SessionFailures {
  private final Set<Throwable> noted =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Does something with a session, and notes why it could not be read or written. */
  <T> T noting(Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException failed) {
      if (Unwritten.is(failed)) {
        noted.add(failed);
      }
      throw failed;
    }
  }

  /** Whether a failure comes of one that was noted. */
  boolean caused(@Nullable Throwable failure) {
    return Unwritten.in(failure).filter(noted::contains).isPresent();
  }
}
