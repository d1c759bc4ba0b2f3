package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Write.Conditional;
import org.jspecify.annotations.Nullable;

/** What one version has and another has nothing of. */
final class Lacking {
  private Lacking() {}

  static Change change(Schema schema, Version theirs, Version ours) {
    VersionedState.requireSame(schema, ours.schema);
    VersionedState.requireSame(schema, theirs.schema);
    @Nullable Object[] writes = new Object[schema.size()];
    for (StateObject<?, ?> object : schema.objects()) {
      if (object instanceof KeyedObject<?, ?> keyed) {
        writes[object.index] = writes(keyed, theirs, ours);
      }
    }
    return new Change(schema, writes);
  }

  @SuppressWarnings("unchecked") // The roots were made by the object.
  private static <K, V> @Nullable TrieMap<K, Object> writes(
      KeyedObject<K, V> object, Version theirs, Version ours) {
    Entries<K, Object> present = ((Keyed<K>) theirs.root(object)).entries();
    Cursor<K, Object> cursor = ((Keyed<K>) ours.root(object)).entries().cursor();
    TrieMap<K, Object> writes = object.noWrites();
    while (cursor.advance()) {
      if (present.get(cursor.key()) == null) {
        writes = writes.put(cursor.key(), new Conditional(null, cursor.value()));
      }
    }
    return writes.size() == 0 ? null : writes;
  }
}
