package dev.tempest.state.versioned;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All collections of a service at one moment.
 *
 * <p>Equal to another if the names and contents of all collections are, whichever {@link
 * VersionedState} they come from and however they came about. Immutable and thread-safe; holding
 * one keeps only what differs from the others alive.
 */
public final class Version {
  final Schema schema;

  /** The generation of the schema whose objects made the roots. */
  final int generation;

  private final Object[] roots;

  /** Takes {@code roots} over. */
  Version(Schema schema, int generation, Object[] roots) {
    this.schema = schema;
    this.generation = generation;
    this.roots = roots;
  }

  Object root(StateObject<?, ?> object) {
    return object.index < roots.length ? roots[object.index] : object.emptyRoot();
  }

  /** All roots by index, not to be written to. */
  Object[] sharedRoots() {
    return roots;
  }

  /**
   * The collections whose contents are not those of an earlier version of the same state, by kind
   * and name: {@code map 'carts'}. The cost grows with the differences.
   */
  public List<String> changedSince(Version earlier) {
    return schema.changed(earlier, this);
  }

  /**
   * How large each collection is, in the order of their declaration. In a time that grows with
   * their number and not with what they hold. From any thread.
   */
  public List<CollectionSize> sizes() {
    return new Sizes().of(schema, this);
  }

  /** The names of the collections that have entries, declared here or not. */
  public Set<String> filled() {
    Set<String> filled = new TreeSet<>();
    for (StateObject<?, ?> object : schema.objects()) {
      if (entries(object) > 0) {
        filled.add(object.name);
      }
    }
    return filled;
  }

  /** How many entries all collections have together. */
  public long entries() {
    long entries = 0;
    for (StateObject<?, ?> object : schema.objects()) {
      entries += entries(object);
    }
    return entries;
  }

  private int entries(StateObject<?, ?> object) {
    return Schema.cast(object).size(root(object));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Version that && schema.isSame(this, that));
  }

  @Override
  public int hashCode() {
    return Long.hashCode(schema.hash(this));
  }

  /** The collections with their sizes. */
  @Override
  public String toString() {
    return schema.describe(this);
  }
}
