package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Write.Merged;
import dev.tempest.state.versioned.Write.Several;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a change adds up with what others have written meanwhile: increments of counters, and
 * merges into values.
 */
final class Addends {
  private Addends() {}

  /** Whether there is anything of it. */
  static boolean areIn(Schema schema, Change change) {
    for (StateObject<?, ?> object : schema.objects()) {
      Object writes = change.writes(object);
      if (writes instanceof TrieMap<?, ?> byKey ? areIn(byKey) : writes != null) {
        return true;
      }
    }
    return false;
  }

  /** That part of it, without merges into values that {@code into} has none of. */
  static Change of(Schema schema, Change change, Version into) {
    Version upgraded = schema.upgrade(into);
    @Nullable Object[] writes = new Object[schema.size()];
    for (StateObject<?, ?> object : schema.objects()) {
      Object all = change.writes(object);
      if (all != null) {
        writes[object.index] =
            object instanceof KeyedObject<?, ?> keyed ? merges(keyed, all, upgraded) : all;
      }
    }
    return new Change(schema, writes);
  }

  private static boolean areIn(TrieMap<?, ?> writes) {
    Cursor<?, ?> cursor = writes.cursor();
    while (cursor.advance()) {
      if (!merges(cursor.value()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("unchecked") // The writes and the root were made by the object.
  private static <K, V> @Nullable Object merges(
      KeyedObject<K, V> object, Object writes, Version into) {
    Entries<K, Object> present = ((Keyed<K>) into.root(object)).entries();
    TrieMap<K, Object> merges = object.noWrites();
    Cursor<K, Object> cursor = ((TrieMap<K, Object>) writes).cursor();
    while (cursor.advance()) {
      List<Write> kept = merges(cursor.value());
      if (!kept.isEmpty() && present.get(cursor.key()) != null) {
        merges = merges.put(cursor.key(), kept.size() == 1 ? kept.getFirst() : new Several(kept));
      }
    }
    return merges.size() == 0 ? null : merges;
  }

  private static List<Write> merges(Object write) {
    return switch (write) {
      case Merged merged -> List.of(merged);
      case Several(List<Write> all) -> all.stream().filter(Merged.class::isInstance).toList();
      default -> List.of();
    };
  }
}
