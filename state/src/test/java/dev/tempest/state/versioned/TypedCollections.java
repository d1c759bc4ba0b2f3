package dev.tempest.state.versioned;

import dev.tempest.state.versioned.StateObject.Kind;
import dev.tempest.values.encoding.ValueType;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;

/** Collections of types that no class has, such as one with colliding hashes. */
final class TypedCollections {
  private TypedCollections() {}

  static <K, V> ConcurrentMap<K, V> map(
      VersionedState state, String name, ValueType<K> keys, ValueType<V> values) {
    return new StateMap<>(
        state,
        state.declarations.keyed(Kind.MAP, name, StoredType.of(keys), StoredType.of(values)));
  }

  static <E> Set<E> set(VersionedState state, String name, ValueType<E> elements) {
    return new StateSet<>(
        state, state.declarations.keyed(Kind.SET, name, StoredType.of(elements), Present.TYPE));
  }
}
