package dev.tempest.state;

import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.MalformedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The state objects that a service class declared, and how versions and changes of them are
 * written. Immutable and thread-safe.
 *
 * <p>A version is, all numbers varints unless said otherwise:
 *
 * <pre>
 * 1                           the number of this layout
 * count                       of state objects, each, by rising name:
 *   name                      string
 *   kind                      1 map, 2 set, 3 counter
 *   map:     count (key value)*
 *   set:     count element*
 *   counter: value            zigzag
 * </pre>
 *
 * <p>A change has the same frame with the objects that it touches only, and within them:
 *
 * <pre>
 *   map:     count (key 1 value | key 0)*     put or removed
 *   set:     count (element 1 | element 0)*   added or removed
 *   counter: sum of increments                zigzag
 * </pre>
 *
 * <p>Equal versions have equal bytes.
 */
final class Schema {
  /** Keeps versions and their encodings within sense; a service has a handful. */
  static final int OBJECTS_MAX = 1024;

  private static final int LAYOUT = 1;

  /** A name of one character, the kind, an empty count. */
  private static final int OBJECT_SIZE_MIN_BYTES = 4;

  /** By index. */
  private final List<StateObject<?, ?>> objects;

  private final List<StateObject<?, ?>> byName;
  private final Version empty;

  Schema(List<StateObject<?, ?>> declared) {
    this.objects = List.copyOf(declared);
    List<StateObject<?, ?>> sorted = new ArrayList<>(declared);
    sorted.sort(Comparator.comparing(object -> object.name));
    this.byName = List.copyOf(sorted);
    Object[] roots = new Object[objects.size()];
    for (StateObject<?, ?> object : objects) {
      roots[object.index] = object.emptyRoot();
    }
    this.empty = new Version(this, roots);
  }

  int size() {
    return objects.size();
  }

  Version emptyVersion() {
    return empty;
  }

  boolean isSame(Version left, Version right) {
    List<StateObject<?, ?>> others = right.schema.byName;
    if (others.size() != byName.size()) {
      return false;
    }
    for (int i = 0; i < byName.size(); i++) {
      StateObject<Object, Object> object = cast(byName.get(i));
      StateObject<?, ?> other = others.get(i);
      if (!object.name.equals(other.name)
          || object.kind != other.kind
          || !object.isSameRoot(left.root(object), right.root(other))) {
        return false;
      }
    }
    return true;
  }

  boolean isSame(Change left, Change right) {
    for (StateObject<?, ?> any : objects) {
      StateObject<Object, Object> object = cast(any);
      Object writes = left.writes(object);
      Object others = right.writes(object);
      if (writes == null || others == null) {
        if (writes != null || others != null) {
          return false;
        }
      } else if (!object.isSameWrites(writes, others)) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  Version apply(Change change, Version version) {
    Object[] roots = version.roots();
    boolean changed = false;
    for (StateObject<?, ?> any : objects) {
      StateObject<Object, Object> object = cast(any);
      Object writes = change.writes(object);
      if (writes != null) {
        Object root = object.apply(roots[object.index], writes);
        changed |= root != roots[object.index];
        roots[object.index] = root;
      }
    }
    return changed ? new Version(this, roots) : version;
  }

  void write(Version version, ByteWriter writer) {
    writer.writeVarint(LAYOUT);
    writer.writeVarint(byName.size());
    for (StateObject<?, ?> any : byName) {
      StateObject<Object, Object> object = cast(any);
      writeHead(object, writer);
      object.writeRoot(version.root(object), writer);
    }
  }

  Version read(ByteReader reader) {
    Object[] roots = empty.roots();
    readObjects(reader, (object, at) -> roots[at] = object.readRoot(reader));
    return new Version(this, roots);
  }

  void write(Change change, ByteWriter writer) {
    List<StateObject<?, ?>> touched = new ArrayList<>();
    for (StateObject<?, ?> object : byName) {
      if (change.writes(object) != null) {
        touched.add(object);
      }
    }
    writer.writeVarint(LAYOUT);
    writer.writeVarint(touched.size());
    for (StateObject<?, ?> any : touched) {
      StateObject<Object, Object> object = cast(any);
      writeHead(object, writer);
      object.writeWrites(Objects.requireNonNull(change.writes(object)), writer);
    }
  }

  Change readChange(ByteReader reader) {
    @Nullable Object[] writes = new Object[objects.size()];
    readObjects(reader, (object, at) -> writes[at] = object.readWrites(reader));
    return new Change(this, writes);
  }

  long hash(Version version) {
    long hash = byName.size();
    for (StateObject<?, ?> any : byName) {
      StateObject<Object, Object> object = cast(any);
      for (byte next : object.name.getBytes(StandardCharsets.US_ASCII)) {
        hash = SplitMix.mix(hash ^ next);
      }
      hash = SplitMix.mix(hash ^ object.hash(version.root(object)));
    }
    return hash;
  }

  Map<String, Object> contents(Version version) {
    Map<String, Object> contents = new LinkedHashMap<>();
    for (StateObject<?, ?> any : objects) {
      StateObject<Object, Object> object = cast(any);
      contents.put(object.name, object.contents(version.root(object)));
    }
    return Collections.unmodifiableMap(contents);
  }

  String describe(Version version) {
    StringBuilder text = new StringBuilder("Version{");
    for (StateObject<?, ?> any : objects) {
      StateObject<Object, Object> object = cast(any);
      text.append(object.index == 0 ? "" : ", ")
          .append(object)
          .append(": ")
          .append(object.describe(version.root(object)));
    }
    return text.append('}').toString();
  }

  private static void writeHead(StateObject<?, ?> object, ByteWriter writer) {
    writer.writeString(object.name);
    writer.writeByte(object.kind.code);
  }

  private void readObjects(
      ByteReader reader, ObjIntConsumer<StateObject<Object, Object>> readObject) {
    long layout = reader.readVarint();
    if (layout != LAYOUT) {
      throw new MalformedException(
          "state in layout " + Long.toUnsignedString(layout) + " where " + LAYOUT + " is known");
    }
    int count = Math.min(OBJECTS_MAX + 1, reader.readCount(OBJECT_SIZE_MIN_BYTES));
    if (count > objects.size()) {
      throw new MalformedException(
          count + " state objects where the service declares " + objects.size());
    }
    int next = 0;
    for (int i = 0; i < count; i++) {
      String name = reader.readString();
      int at = indexOf(name, next);
      StateObject<Object, Object> object = cast(byName.get(at));
      next = at + 1;
      int kind = reader.readByte();
      if (kind != object.kind.code) {
        throw new MalformedException(object + " is of another kind in the bytes: " + kind);
      }
      readObject.accept(object, object.index);
    }
  }

  /** The place by name of the object called {@code name}, which has to be {@code from} or later. */
  private int indexOf(String name, int from) {
    for (int at = from; at < byName.size(); at++) {
      if (byName.get(at).name.equals(name)) {
        return at;
      }
    }
    for (int at = 0; at < from; at++) {
      if (byName.get(at).name.equals(name)) {
        throw new MalformedException("state object '" + name + "' twice or out of order");
      }
    }
    // Bytes from outside do not get to fill a log.
    String shown = name.length() <= State.NAME_LENGTH_MAX ? name : name.substring(0, 64) + "...";
    throw new MalformedException(
        "the service declares no state object '" + shown + "', only " + byName);
  }

  /** Roots and writes come from the very object that they are given to. */
  @SuppressWarnings("unchecked")
  private static StateObject<Object, Object> cast(StateObject<?, ?> object) {
    return (StateObject<Object, Object>) object;
  }
}
