package dev.tempest;

import org.jspecify.annotations.Nullable;

/** Told of entries that changed. */
@FunctionalInterface
public interface EntryListener<K, V> {
  /**
   * An entry is another now.
   *
   * @param before its value before; null if there was none
   * @param after its value now; null if there is none any more, removed, expired or evicted
   */
  void changed(K key, @Nullable V before, @Nullable V after);
}
