package dev.tempest.values.encoding;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The number of entries and the contents of key and value of each, in the order of the keys as
 * {@link SetEncoding} has it.
 */
@SuppressWarnings("rawtypes") // There is no class literal of Map<Object, Object>.
final class MapEncoding extends SizedEncoding<Map> {
  private final Encoding<Object> key;
  private final Encoding<Object> value;

  MapEncoding(Encoding<Object> key, Encoding<Object> value) {
    super(Map.class);
    this.key = key;
    this.value = value;
  }

  /** A copy made by one encoding, in its order. */
  private static final class Frozen extends AbstractMap<Object, Object> {
    private final MapEncoding by;
    private final Pair[] entries;
    private final boolean isImmutable;

    /** To look up keys in more than a few; made when somebody does. */
    private volatile @Nullable Map<Object, Object> index;

    Frozen(MapEncoding by, Pair[] sorted, boolean isImmutable) {
      this.by = by;
      this.entries = sorted;
      this.isImmutable = isImmutable;
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public int size() {
          return entries.length;
        }

        @Override
        public Iterator<Map.Entry<Object, Object>> iterator() {
          return Arrays.<Map.Entry<Object, Object>>asList(entries).iterator();
        }

        @Override
        public boolean contains(@Nullable Object candidate) {
          return candidate instanceof Map.Entry<?, ?> entry
              && entry.getKey() != null
              && Objects.equals(get(entry.getKey()), entry.getValue());
        }
      };
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return get(key) != null;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      if (entries.length > Containers.SEARCHED_MAX) {
        return index().get(key);
      }
      for (Pair entry : entries) {
        if (entry.key.equals(key)) {
          return entry.value;
        }
      }
      return null;
    }

    private Map<Object, Object> index() {
      Map<Object, Object> known = index;
      if (known == null) {
        known = new LinkedHashMap<>();
        for (Pair entry : entries) {
          known.put(entry.key, entry.value);
        }
        index = known;
      }
      return known;
    }
  }

  private record Pair(Object key, Object value) implements Map.Entry<Object, Object> {
    @Override
    public Object getKey() {
      return key;
    }

    @Override
    public Object getValue() {
      return value;
    }

    @Override
    public Object setValue(Object other) {
      throw new UnsupportedOperationException("a stored map cannot be changed: put another one");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Map.Entry<?, ?> that
          && key.equals(that.getKey())
          && value.equals(that.getValue());
    }

    @Override
    public int hashCode() {
      return key.hashCode() ^ value.hashCode();
    }

    @Override
    public String toString() {
      return key + "=" + value;
    }
  }

  @Override
  List<Part> parts() {
    return List.of(new Part("[key]", key), new Part("[]", value));
  }

  @Override
  boolean needsCopy() {
    return true;
  }

  @Override
  boolean needsCopy(Map map) {
    return !(map instanceof Frozen frozen && frozen.by == this && frozen.isImmutable);
  }

  @Override
  Map copy(Map map, int depth) {
    if (!needsCopy(map)) {
      return map;
    }
    checkDepth(depth);
    Pair[] entries = entries(map);
    boolean isImmutable = true;
    for (int i = 0; i < entries.length; i++) {
      Pair copy =
          new Pair(key.copy(entries[i].key, depth + 1), value.copy(entries[i].value, depth + 1));
      isImmutable &= !key.needsCopy(copy.key) && !value.needsCopy(copy.value);
      entries[i] = copy;
    }
    return new Frozen(this, sortedOnce(entries), isImmutable);
  }

  @Override
  @SuppressWarnings("unchecked") // A raw Map is one of Objects.
  long mostBodyBytes(Map map, int depth) {
    long keys = Containers.mostBytes(key, map.keySet(), Map.class, depth);
    return keys < LARGE_BYTES
        ? keys + Containers.mostBytes(value, map.values(), Map.class, depth)
        : keys;
  }

  @Override
  void writeBody(Map map, ByteWriter writer, int depth) {
    checkDepth(depth);
    Pair[] entries =
        map instanceof Frozen frozen && frozen.by == this
            ? frozen.entries
            : sortedOnce(entries(map));
    writer.writeVarint(entries.length);
    for (Pair entry : entries) {
      key.writeContents(entry.key, writer, depth + 1);
      value.writeContents(entry.value, writer, depth + 1);
    }
  }

  @Override
  Map readBody(ByteReader reader, int depth) {
    Kind.checkDepth(depth);
    int count = reader.readCount(2);
    List<Pair> read =
        new ArrayList<>(
            Math.min(
                count,
                Containers.TRUSTED_COUNT)); // A count says nothing: memory is taken as they come.
    boolean isImmutable = true;
    for (int i = 0; i < count; i++) {
      Pair entry =
          new Pair(key.readContents(reader, depth + 1), value.readContents(reader, depth + 1));
      isImmutable &= !key.needsCopy(entry.key) && !value.needsCopy(entry.value);
      read.add(entry);
    }
    // Written by other code, they may be in another order.
    Pair[] entries = sortedOnce(read.toArray(new Pair[0]));
    if (entries.length < count) {
      throw new MalformedException("a key occurs twice");
    }
    return new Frozen(this, entries, isImmutable);
  }

  private Pair[] entries(Map<?, ?> map) {
    Pair[] entries = new Pair[map.size()];
    int count = 0;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (count == entries.length) {
        entries = Arrays.copyOf(entries, 2 * count + 1); // It grows while it is copied.
      }
      entries[count++] =
          new Pair(
              Containers.check(key, entry.getKey(), Map.class),
              Containers.check(value, entry.getValue(), Map.class));
    }
    return count == entries.length ? entries : Arrays.copyOf(entries, count);
  }

  /** As {@link SetEncoding} does it, by the keys. */
  private Pair[] sortedOnce(Pair[] entries) {
    Arrays.sort(entries, (left, right) -> key.compareContents(left.key, right.key));
    int count = 0;
    for (Pair entry : entries) {
      if (count == 0 || key.compareContents(entries[count - 1].key, entry.key) != 0) {
        entries[count] = entry;
        count++;
      }
    }
    return count == entries.length ? entries : Arrays.copyOf(entries, count);
  }
}
