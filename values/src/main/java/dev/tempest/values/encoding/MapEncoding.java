package dev.tempest.values.encoding;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final Map<Object, Object> entries;
    private final boolean isImmutable;

    Frozen(MapEncoding by, Pair[] sorted, boolean isImmutable) {
      Map<Object, Object> linked = new LinkedHashMap<>();
      for (Pair entry : sorted) {
        linked.put(entry.key, entry.value);
      }
      this.by = by;
      this.entries = Collections.unmodifiableMap(linked);
      this.isImmutable = isImmutable;
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
      return entries.entrySet();
    }

    @Override
    public int size() {
      return entries.size();
    }

    @Override
    public boolean containsKey(Object key) {
      return entries.containsKey(key);
    }

    @Override
    public @Nullable Object get(Object key) {
      return entries.get(key);
    }

    @Override
    public Set<Object> keySet() {
      return entries.keySet();
    }
  }

  private record Pair(Object key, Object value) {}

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
    sort(entries);
    return new Frozen(this, entries, isImmutable);
  }

  @Override
  void writeBody(Map map, ByteWriter writer, int depth) {
    checkDepth(depth);
    Pair[] entries = entries(map);
    if (!(map instanceof Frozen frozen && frozen.by == this)) {
      sort(entries);
    }
    writer.writeVarint(entries.length);
    for (Pair entry : entries) {
      key.writeContents(entry.key, writer, depth + 1);
      value.writeContents(entry.value, writer, depth + 1);
    }
  }

  @Override
  Map readBody(ByteReader reader, int depth) {
    Kind.checkDepth(depth);
    Pair[] entries = new Pair[reader.readCount(2)];
    boolean isImmutable = true;
    for (int i = 0; i < entries.length; i++) {
      Pair entry =
          new Pair(key.readContents(reader, depth + 1), value.readContents(reader, depth + 1));
      isImmutable &= !key.needsCopy(entry.key) && !value.needsCopy(entry.value);
      entries[i] = entry;
    }
    sort(entries); // Written by other code, they may be in another order.
    Frozen read = new Frozen(this, entries, isImmutable);
    if (read.size() < entries.length) {
      throw new MalformedException("a key occurs twice");
    }
    return read;
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

  /** In one pass where they are sorted already. */
  private void sort(Pair[] entries) {
    Arrays.sort(entries, (left, right) -> key.compareContents(left.key, right.key));
  }
}
