package dev.tempest.jcache;

import java.util.Collection;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Closes what users have given to a cache. */
final class Closing {
  private Closing() {}

  /** Closes all that can be closed, and then throws what went wrong. */
  static void all(Collection<? extends @Nullable Object> parts) {
    CacheException failure = null;
    for (Object each : parts) {
      if (each instanceof AutoCloseable closeable) {
        try {
          closeable.close();
        } catch (Exception failed) {
          failure = failure == null ? new CacheException("Cannot close " + each, failed) : failure;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
