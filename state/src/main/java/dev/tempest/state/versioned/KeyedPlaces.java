package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a keyed object by their places: where it is sorted the place is the key itself,
 * else the path of its hash.
 */
final class KeyedPlaces<K, V> {
  private final KeyedObject<K, V> object;

  KeyedPlaces(KeyedObject<K, V> object) {
    this.object = object;
  }

  /** The entries after a place; all of them if it is empty. */
  PlacedCursor cursor(Keyed<K> root, Bytes after) {
    return root.entries() instanceof TrieMap<K, Object> map
        ? new ByPath(map, after)
        : new ByKey((SortedTree<K, Object>) root.entries(), after);
  }

  /** Without the entries after one place and through another; to the last if that is null. */
  Keyed<K> cleared(Keyed<K> root, Bytes after, @Nullable Bytes through) {
    List<K> keys = new ArrayList<>();
    PlacedCursor cursor = cursor(root, after);
    while (cursor.advance() && (through == null || cursor.isThrough(through))) {
      keys.add(key(cursor));
    }
    Keyed<K> rest = root;
    for (K key : keys) {
      rest = object.withSlot(rest, key, null);
    }
    return rest;
  }

  @SuppressWarnings("unchecked") // A cursor of this object.
  private K key(PlacedCursor cursor) {
    return cursor instanceof KeyedPlaces<?, ?>.ByPath byPath
        ? (K) byPath.cursor.key()
        : (K) ((KeyedPlaces<?, ?>.ByKey) cursor).cursor.key();
  }

  private final class ByPath implements PlacedCursor {
    private final PathCursor<K> cursor;

    ByPath(TrieMap<K, Object> map, Bytes after) {
      this.cursor =
          after.size() == 0
              ? new PathCursor<>(map)
              : new PathCursor<>(map, after.reader().readInt());
    }

    @Override
    public boolean advance() {
      return cursor.advance();
    }

    @Override
    public boolean isThrough(Bytes place) {
      return Integer.compareUnsigned(cursor.path(), place.reader().readInt()) <= 0;
    }

    @Override
    public boolean sharesPlace() {
      return cursor.sharesPath();
    }

    @Override
    public Bytes place() {
      ByteWriter writer = new ByteWriter(Integer.BYTES);
      writer.writeInt(cursor.path());
      return writer.toBytes();
    }

    @Override
    public void write(ByteWriter writer) {
      object.writeEntry(cursor.key(), cursor.value(), writer);
    }
  }

  private final class ByKey implements PlacedCursor {
    private final TreeCursor<K, Object> cursor;

    /** What was compared with last: mostly what is compared with next. */
    private @Nullable Bytes bound;

    private @Nullable K boundKey;

    ByKey(SortedTree<K, Object> tree, Bytes after) {
      this.cursor = after.size() == 0 ? tree.cursor() : tree.cursor(key(after), false, null, false);
    }

    @Override
    public boolean advance() {
      return cursor.advance();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Equal bytes would do as well, and cost more.
    public boolean isThrough(Bytes place) {
      K key = boundKey;
      if (key == null || place != bound) {
        key = key(place);
        bound = place;
        boundKey = key;
      }
      return object.keys.compare(cursor.key(), key) <= 0;
    }

    @Override
    public boolean sharesPlace() {
      return false;
    }

    @Override
    public Bytes place() {
      ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
      object.keys.write(cursor.key(), writer);
      return writer.toBytes();
    }

    @Override
    public void write(ByteWriter writer) {
      object.writeEntry(cursor.key(), cursor.value(), writer);
    }

    private K key(Bytes place) {
      return object.readKey(place.reader());
    }
  }
}
