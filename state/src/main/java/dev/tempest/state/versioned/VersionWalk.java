package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Walks over all entries of a version in the order of {@link Mark}s. */
final class VersionWalk {
  private final Version version;
  private final Mark after;
  private final Iterator<StateObject<?, ?>> objects;
  private @Nullable StateObject<Object, Object> object;
  private @Nullable PlacedCursor cursor;

  /** At the first entry after a mark. */
  VersionWalk(Version version, Mark after) {
    this.version = version;
    this.after = after;
    this.objects = version.schema.byName().iterator();
    next();
  }

  /** Whether it has gone beyond the last entry. */
  boolean isOver() {
    return cursor == null;
  }

  /** Goes on to the next entry. */
  void next() {
    while (cursor == null || !cursor.advance()) {
      if (!objects.hasNext()) {
        cursor = null;
        return;
      }
      StateObject<Object, Object> next = Schema.cast(objects.next());
      int order = after.compareTo(next);
      boolean isAhead = order < 0 || (order == 0 && after.place().size() > 0);
      if (isAhead) {
        object = next;
        cursor = next.placed(version.root(next), order == 0 ? after.place() : Bytes.EMPTY);
      }
    }
  }

  /** The collection that the entry is in. */
  StateObject<Object, Object> object() {
    return Objects.requireNonNull(object);
  }

  /** Whether the entry lies at a mark or before it. */
  boolean isThrough(Mark mark) {
    int order = mark.compareTo(object());
    return order > 0
        || (order == 0 && (mark.place().size() == 0 || cursor().isThrough(mark.place())));
  }

  /** Whether a mark can tell this entry from the next one. */
  boolean mayEnd() {
    return !cursor().sharesPlace();
  }

  /** The entry, as a mark. */
  Mark mark() {
    return new Mark(object().name, object().kind.code, cursor().place());
  }

  /** Writes the entry, as its collection reads it. */
  void write(ByteWriter writer) {
    cursor().write(writer);
  }

  private PlacedCursor cursor() {
    return Objects.requireNonNull(cursor, "there is no entry");
  }
}
