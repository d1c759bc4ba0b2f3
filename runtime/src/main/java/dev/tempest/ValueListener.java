package dev.tempest;

import org.jspecify.annotations.Nullable;

/** Is called when a single value or a counter changes. */
@FunctionalInterface
public interface ValueListener<V> {
  /**
   * The value has changed.
   *
   * @param before the value before; null for none; never null of a counter
   * @param after the value now; null for none; never null of a counter
   */
  void changed(@Nullable V before, @Nullable V after);
}
