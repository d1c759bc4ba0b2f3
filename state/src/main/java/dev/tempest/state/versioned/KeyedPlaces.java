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

  private Places places(Keyed<K> root, Bytes after) {
    return root.entries() instanceof TrieMap<K, Object> map
        ? new ByPath(map, after)
        : new ByKey((SortedTree<K, Object>) root.entries(), after);
  }

  /** Without the entries after one place and through another; to the last if that is null. */
  Keyed<K> cleared(Keyed<K> root, Bytes after, @Nullable Bytes through) {
    List<K> keys = new ArrayList<>();
    Places cursor = places(root, after);
    while (cursor.advance() && (through == null || cursor.isThrough(through))) {
      keys.add(cursor.key());
    }
    Keyed<K> rest = root;
    for (K key : keys) {
      rest = object.withSlot(rest, key, null);
    }
    return rest;
  }

  private abstract class Places implements PlacedCursor {
    abstract K key();

    abstract Object value();

    @Override
    public final void write(ByteWriter writer) {
      object.writeEntry(key(), value(), writer);
    }
  }

  private final class ByPath extends Places {
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
    K key() {
      return cursor.key();
    }

    @Override
    Object value() {
      return cursor.value();
    }
  }

  private final class ByKey extends Places {
    private final TreeCursor<K, Object> cursor;

    /** What was compared with last: mostly what is compared with next. */
    private @Nullable Bytes bound;

    private @Nullable K boundKey;

    ByKey(SortedTree<K, Object> tree, Bytes after) {
      this.cursor =
          after.size() == 0 ? tree.cursor() : tree.cursor(keyAt(after), false, null, false);
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
        key = keyAt(place);
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
    K key() {
      return cursor.key();
    }

    @Override
    Object value() {
      return cursor.value();
    }

    private K keyAt(Bytes place) {
      return object.readKey(place.reader());
    }
  }
}
