package dev.tempest.state.versioned;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What a caller looks for among keys or values, found by contents: neither {@code equals} of the
 * caller's classes nor {@code contains} of his collection is asked. Immutable.
 */
final class Queries<T> {
  private final StoredType<T> type;
  private final TrieMap<T, Present> known;

  private Queries(StoredType<T> type, TrieMap<T, Present> known) {
    this.type = type;
    this.known = known;
  }

  static <T> Queries<T> none(StoredType<T> type) {
    return new Queries<>(type, TrieMap.empty(type.type()));
  }

  /** Of all that a collection holds, but for nulls and what cannot be stored as {@code type}. */
  static <T> Queries<T> of(StoredType<T> type, Collection<?> candidates) {
    Queries<T> queries = none(type);
    for (Object candidate : candidates) {
      queries = queries.and(candidate);
    }
    return queries;
  }

  Queries<T> and(@Nullable Object candidate) {
    T query = candidate == null ? null : type.asQuery(candidate);
    return query == null ? this : new Queries<>(type, known.put(query, Present.PRESENT));
  }

  /** Whether one of them has the contents of what is stored. */
  boolean contain(T stored) {
    // What code of other components wrote has another hash, though it is the same to this code.
    return known.get(type.readable(stored)) != null;
  }
}
