package dev.tempest.state.versioned;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The write set of an action: per collection the keys put with their last values, the keys removed,
 * the sum of the increments. Also a put of the value that was there already is part of it: applied
 * to another version, it counts.
 *
 * <p>Immutable and thread-safe; equal if it writes the same. {@link VersionedState#writeChange} and
 * {@link VersionedState#readChange} carry it to the same service elsewhere.
 */
public final class Change {
  /** Of names in a message, in characters. */
  private static final int NAMES_ENOUGH = 200;

  private final Schema schema;

  /** By index; null where the object is untouched. */
  private final @Nullable Object[] writes;

  /** Takes {@code writes} over. */
  Change(Schema schema, @Nullable Object[] writes) {
    this.schema = schema;
    this.writes = writes;
  }

  /** True if it writes nothing. */
  public boolean isEmpty() {
    for (Object written : writes) {
      if (written != null) {
        return false;
      }
    }
    return true;
  }

  /**
   * The version after this change to {@code version}; {@code version} itself if that changes
   * nothing.
   *
   * @throws IllegalArgumentException if the version comes from another {@link VersionedState}
   */
  public Version applyTo(Version version) {
    VersionedState.requireSame(schema, version.schema);
    return schema.apply(this, version);
  }

  /** The names of the collections that it writes to. */
  public List<String> names() {
    List<String> names = new ArrayList<>(1);
    for (int index = 0; index < writes.length; index++) {
      if (writes[index] != null) {
        names.add(schema.nameOf(index));
      }
    }
    return names;
  }

  /** The collections that it writes to, for messages; some of them if there are many. */
  String namesInWords() {
    List<StateObject<?, ?>> objects = schema.objects();
    StringJoiner words = new StringJoiner(", ");
    int more = 0;
    for (int index = 0; index < writes.length; index++) {
      if (writes[index] != null && words.length() < NAMES_ENOUGH) {
        words.add(objects.get(index).toString());
      } else if (writes[index] != null) {
        more++;
      }
    }
    return more == 0 ? words.toString() : words + " and " + more + " more";
  }

  /** The keys that it writes to, and its writes. */
  public Footprint footprint() {
    return schema.footprint(this);
  }

  Schema schema() {
    return schema;
  }

  /** The writes to {@code object}, null if it is untouched. */
  @Nullable Object writes(StateObject<?, ?> object) {
    return object.index < writes.length ? writes[object.index] : null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Change that && schema == that.schema && schema.isSame(this, that));
  }

  @Override
  public int hashCode() {
    return applyTo(schema.emptyVersion()).hashCode();
  }
}
