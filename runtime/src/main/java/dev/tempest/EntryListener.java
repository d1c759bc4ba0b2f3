package dev.tempest;

import org.jspecify.annotations.Nullable;

/** Is called when entries change. */
@FunctionalInterface
public interface EntryListener<K, V> {
  /**
   * An entry has changed.
   *
   * @param before the value before; null if there was none
   * @param after the value now; null if the entry was removed, has expired or was evicted
   */
  void changed(K key, @Nullable V before, @Nullable V after);
}
