package dev.tempest.state;

import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.MalformedException;

/**
 * A declared map, or a set, which is a map to {@link Present}. Its root is a trie; the writes to it
 * are a trie from keys to new values, or to {@link Removed}.
 */
final class TrieObject<K, V> extends StateObject<TrieMap<K, V>, TrieMap<K, Object>> {
  /** Stands for the removal of a key in the writes. */
  enum Removed {
    REMOVED
  }

  final StoredType<K> keys;
  final StoredType<V> values;
  private final TrieMap<K, V> empty;
  private final TrieMap<K, Object> noWrites;

  TrieObject(Kind kind, String name, int index, StoredType<K> keys, StoredType<V> values) {
    super(kind, name, index);
    this.keys = keys;
    this.values = values;
    this.empty = TrieMap.empty(keys.type());
    this.noWrites = TrieMap.empty(keys.type());
  }

  @Override
  TrieMap<K, V> emptyRoot() {
    return empty;
  }

  TrieMap<K, Object> noWrites() {
    return noWrites;
  }

  @Override
  boolean isSameRoot(TrieMap<K, V> left, TrieMap<K, V> right) {
    return left.hasContentsOf(right, values::isSame);
  }

  @Override
  boolean isSameWrites(TrieMap<K, Object> left, TrieMap<K, Object> right) {
    return left.hasContentsOf(right, this::isSameWrite);
  }

  @Override
  TrieMap<K, V> apply(TrieMap<K, V> root, TrieMap<K, Object> writes) {
    TrieMap<K, V> result = root;
    TrieCursor<K, Object> cursor = writes.cursor();
    while (cursor.advance()) {
      Object value = cursor.value();
      result =
          value instanceof Removed
              ? result.remove(cursor.key())
              : result.put(cursor.key(), cast(value));
    }
    return result;
  }

  @Override
  void writeRoot(TrieMap<K, V> root, ByteWriter writer) {
    writer.writeVarint(root.size());
    TrieCursor<K, V> cursor = root.cursor();
    while (cursor.advance()) {
      keys.write(cursor.key(), writer);
      values.write(cursor.value(), writer);
    }
  }

  @Override
  TrieMap<K, V> readRoot(ByteReader reader) {
    int count = reader.readCount(1);
    TrieMap<K, V> root = empty;
    for (int i = 0; i < count; i++) {
      K key = keys.read(reader);
      V value = values.read(reader);
      root = insertNew(root, key, value);
    }
    return root;
  }

  @Override
  void writeWrites(TrieMap<K, Object> writes, ByteWriter writer) {
    writer.writeVarint(writes.size());
    TrieCursor<K, Object> cursor = writes.cursor();
    while (cursor.advance()) {
      Object value = cursor.value();
      keys.write(cursor.key(), writer);
      boolean put = !(value instanceof Removed);
      writer.writeBoolean(put);
      if (put) {
        values.write(cast(value), writer);
      }
    }
  }

  @Override
  TrieMap<K, Object> readWrites(ByteReader reader) {
    int count = reader.readCount(2);
    if (count == 0) {
      throw new MalformedException("a change without a write to " + this);
    }
    TrieMap<K, Object> writes = noWrites;
    for (int i = 0; i < count; i++) {
      K key = keys.read(reader);
      Object value = reader.readBoolean() ? values.read(reader) : Removed.REMOVED;
      writes = insertNew(writes, key, value);
    }
    return writes;
  }

  @Override
  long hash(TrieMap<K, V> root) {
    long sum = root.size();
    TrieCursor<K, V> cursor = root.cursor();
    while (cursor.advance()) {
      long key = keys.hash(cursor.key());
      long entry = (key << 32) | (values.hash(cursor.value()) & 0xFFFFFFFFL);
      sum += SplitMix.mix(entry);
    }
    return SplitMix.mix(sum);
  }

  @Override
  Object contents(TrieMap<K, V> root) {
    Contents<K, V> contents = new Contents<>(this, root);
    return kind == Kind.SET ? contents.keySet() : contents;
  }

  @Override
  String describe(TrieMap<K, V> root) {
    return root.size() + (root.size() == 1 ? " entry" : " entries");
  }

  private boolean isSameWrite(Object left, Object right) {
    if (left instanceof Removed || right instanceof Removed) {
      return left.equals(right);
    }
    return values.isSame(cast(left), cast(right));
  }

  private <W> TrieMap<K, W> insertNew(TrieMap<K, W> trie, K key, W value) {
    int hash = trie.hash(key);
    if (trie.get(key, hash) != null) {
      throw new MalformedException(this + " has a key twice");
    }
    return trie.insert(key, hash, value);
  }

  @SuppressWarnings("unchecked") // What is written and not Removed is a value.
  private V cast(Object value) {
    return (V) value;
  }
}
