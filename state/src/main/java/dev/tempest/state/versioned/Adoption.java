package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Write.Merged;
import org.jspecify.annotations.Nullable;

/**
 * Makes roots of an earlier declaration of a keyed object those of this one: each entry for itself,
 * whatever the others are. What could not be read is read again, and what waited for a class or a
 * function is merged.
 */
final class Adoption<K, V> {
  private final KeyedObject<K, V> object;

  Adoption(KeyedObject<K, V> object) {
    this.object = object;
  }

  /** In time proportional to all that there is. */
  @SuppressWarnings("ReferenceEquality") // Whether anything was converted at all.
  Keyed<K> adopted(Keyed<K> root) {
    Keyed<K> adopted = object.emptyRoot();
    boolean changed = (root.order() == null) != (adopted.order() == null);
    Cursor<K, Object> cursor = root.entries().cursor();
    while (cursor.advance()) {
      K key = object.adoptKey(cursor.key());
      Object slot = slot(cursor.value());
      changed |= key != cursor.key() || slot != cursor.value();
      adopted = object.with(adopted, key, slot);
    }
    return changed ? adopted : root;
  }

  /**
   * In time proportional to what differs from another root of the earlier declaration.
   *
   * @param earlier that root
   * @param itsAdopted what an object of the same types has made of it
   */
  @SuppressWarnings("ReferenceEquality") // Whether anything is to be converted at all.
  Keyed<K> adopted(Keyed<K> root, Keyed<K> earlier, Keyed<K> itsAdopted) {
    if (root == earlier && itsAdopted == earlier) {
      return root;
    }
    if (root.entries().getClass() != earlier.entries().getClass()) {
      return adopted(root); // Declared more than once since.
    }
    Patch patch = new Patch(own(itsAdopted));
    root.entries().difference(earlier.entries(), patch);
    return patch.result;
  }

  /** The entries as this object has them, which made none of them. */
  private Keyed<K> own(Keyed<K> root) {
    Entries<K, Object> entries = root.entries().of(object.keys);
    UserOrder<K> order = object.emptyRoot().order();
    return new Keyed<>(
        entries,
        root.deadlines().orderedBy(Deadline.order(object.keys)),
        root.special(),
        root.unmerged(),
        order == null ? null : order.of(entries));
  }

  /** Takes differences between roots over to one that is adopted already. */
  private final class Patch implements Entries.DifferenceVisitor<K, Object> {
    private Keyed<K> result;

    Patch(Keyed<K> adopted) {
      this.result = adopted;
    }

    @Override
    public void visit(K key, @Nullable Object oldSlot, @Nullable Object newSlot) {
      Object slot = newSlot == null ? null : slot(newSlot);
      result = object.withSlot(result, object.adoptKey(key), slot);
    }
  }

  /** With all that can be merged by now; in no time where nothing waits for it. */
  Keyed<K> merged(Keyed<K> root) {
    Keyed<K> merged = root;
    Cursor<K, Object> cursor = root.entries().cursor();
    for (int left = root.unmerged(); left > 0 && cursor.advance(); ) {
      if (Unmerged.isIn(cursor.value())) {
        left--;
        merged = object.with(merged, cursor.key(), slot(cursor.value()));
      }
    }
    return merged;
  }

  @SuppressWarnings({"unchecked", "ReferenceEquality"}) // As in adopted.
  private Object slot(Object slot) {
    return switch (slot) {
      case Lease lease -> {
        Object value = slot(lease.value());
        yield value == lease.value() ? lease : lease.with(value);
      }
      case Unmerged(var base, var merges) -> {
        Object value = base == null ? null : object.adoptValue((V) base);
        for (Merged merge : merges) {
          V operand = object.values.adopt((V) merge.operand());
          value = object.merged(value, new Merged(merge.function(), operand));
        }
        yield value == null ? slot : value;
      }
      default -> object.adoptValue((V) slot);
    };
  }
}
