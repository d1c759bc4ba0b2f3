package dev.tempest;

import org.jspecify.annotations.Nullable;

/** Is called when entries change. */
@FunctionalInterface
public interface EntryListener<K, V> {
  /**
   * An entry has changed.
   *
   * @param before the value before; null if there was none that can be read here
   * @param after the value now; null if the entry was removed, has expired or was evicted, or
   *     cannot be read here
   */
  void changed(K key, @Nullable V before, @Nullable V after);
}
