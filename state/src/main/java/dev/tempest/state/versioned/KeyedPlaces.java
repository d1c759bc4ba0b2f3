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
    return places(root, after);
  }

  private Places<?> places(Keyed<K> root, Bytes after) {
    return root.entries() instanceof TrieMap<K, Object> map
        ? new ByPath(map, after)
        : new ByKey((SortedTree<K, Object>) root.entries(), after);
  }

  /** Without the entries after one place and through another; to the last if that is null. */
  Keyed<K> cleared(Keyed<K> root, Bytes after, @Nullable Bytes through) {
    List<K> keys = new ArrayList<>();
    Places<?> places = places(root, after);
    while (places.advance() && (through == null || places.isThrough(through))) {
      keys.add(places.cursor.key());
    }
    Keyed<K> rest = root;
    for (K key : keys) {
      rest = object.withSlot(rest, key, null);
    }
    return rest;
  }

  private abstract class Places<C extends Cursor<K, Object>> implements PlacedCursor {
    final C cursor;

    Places(C cursor) {
      this.cursor = cursor;
    }

    @Override
    public final boolean advance() {
      return cursor.advance();
    }

    @Override
    public final void write(ByteWriter writer) {
      object.writeEntry(cursor.key(), cursor.value(), writer);
    }
  }

  private final class ByPath extends Places<PathCursor<K>> {
    ByPath(TrieMap<K, Object> map, Bytes after) {
      super(
          after.size() == 0
              ? new PathCursor<>(map)
              : new PathCursor<>(map, after.reader().readInt()));
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
  }

  private final class ByKey extends Places<TreeCursor<K, Object>> {
    /** What was compared with last: mostly what is compared with next. */
    private @Nullable Bytes bound;

    private @Nullable K boundKey;

    ByKey(SortedTree<K, Object> tree, Bytes after) {
      super(
          after.size() == 0
              ? tree.cursor()
              : tree.cursor(object.readKey(after.reader()), false, null, false));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Equal bytes would do as well, and cost more.
    public boolean isThrough(Bytes place) {
      K key = boundKey;
      if (key == null || place != bound) {
        key = object.readKey(place.reader());
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
  }
}
