package dev.tempest.state.versioned;

import org.jspecify.annotations.Nullable;

/** Told of the entries that differ between two versions. */
@FunctionalInterface
public interface EntryVisitor<K, V> {
  /**
   * An entry differs.
   *
   * @param before its value in the earlier version; null if there is none
   * @param after its value in the later version; null if there is none
   */
  void visit(K key, @Nullable V before, @Nullable V after);
}
