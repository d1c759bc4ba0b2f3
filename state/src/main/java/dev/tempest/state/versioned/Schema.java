package dev.tempest.state.versioned;

import dev.tempest.state.versioned.StateObject.Kind;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The collections of a {@link VersionedState}, and how changes of them are written; versions travel
 * in {@link Pieces}. One thread at a time adds objects; any thread reads.
 *
 * <p>A change is, all numbers varints unless said otherwise:
 *
 * <pre>
 * 2                           the number of this layout
 * count                       of collections that it touches, each, by rising name and kind:
 *   name                      string
 *   kind                      1 map, 2 set, 3 counter, 4 sorted map, 5 sorted set, 6 list, 7 deque,
 *                             8 single value
 *   counter: sum of increments                 zigzag
 *   others:  count (key write)*
 * write:
 *   0                         removed
 *   1, 2, 3                   put: a slot as below
 *   4 function operand        merged
 *   5 millis                  used, zigzag
 *   6 write                   if there is none; the write is 0 to 3
 *   7 value write             if it is this; the write is 0 to 3
 *   8 function slot           merged, and used: the slot is 2
 *   9 count write*            one after the other: two or more of 4 to 8
 * slot:
 *   1 value
 *   2 expires idle used slot  milliseconds, zigzag; the slot is none of 2
 *   3 0|1 value? count (function operand)*     merged by functions that are not known yet
 * </pre>
 *
 * <p>Equal changes have equal bytes.
 */
final class Schema {
  /** Keeps versions and their encodings within sense; a service has a handful. */
  static final int COLLECTIONS_MAX = 4096;

  private static final int LAYOUT = 2;

  /** A name of one character, the kind, an empty count. */
  private static final int OBJECT_SIZE_MIN_BYTES = 4;

  private static final Comparator<StateObject<?, ?>> BY_NAME =
      Comparator.<StateObject<?, ?>, String>comparing(object -> object.name)
          .thenComparing(object -> object.kind);

  /** Declares what code has not. */
  private final BiFunction<String, Kind, StateObject<?, ?>> undeclared;

  private final Complaints complaints;
  private final SlowCode slow;

  /** By index; never changed, but replaced. */
  private volatile List<StateObject<?, ?>> objects = List.of();

  private volatile List<StateObject<?, ?>> byName = List.of();
  private volatile int generation;

  /** In this generation a merge function became known: any root may have waited for it. */
  private volatile int mergeGeneration;

  /** Of the thread that declares; null if none does, or has anything prepared. */
  private volatile @Nullable Preparation preparation;

  Schema(
      BiFunction<String, Kind, StateObject<?, ?>> undeclared,
      Complaints complaints,
      SlowCode slow) {
    this.undeclared = undeclared;
    this.complaints = complaints;
    this.slow = slow;
  }

  int size() {
    return objects.size();
  }

  String nameOf(int index) {
    return objects.get(index).name;
  }

  int generation() {
    return generation;
  }

  /** All that are called so: at most one of each kind. */
  List<StateObject<?, ?>> named(String name) {
    return byName.stream().filter(object -> object.name.equals(name)).toList();
  }

  /** Adds an object, whose index is the size. */
  void add(StateObject<?, ?> object) {
    List<StateObject<?, ?>> more = new ArrayList<>(objects);
    more.add(object);
    objects = List.copyOf(more);
    sort();
  }

  /** Puts an object in the place of one of the same name and kind: a generation begins. */
  void replace(StateObject<?, ?> object) {
    List<StateObject<?, ?>> others = new ArrayList<>(objects);
    others.set(object.index, object);
    objects = List.copyOf(others);
    generation = object.generation;
    sort();
  }

  /** A merge function is known from now on: a generation begins. */
  void mergeRegistered() {
    mergeGeneration = generation + 1;
    generation = mergeGeneration;
  }

  Version emptyVersion() {
    return new Version(this, generation, emptyRoots());
  }

  /** The version with the roots that the objects of now make of it. */
  Version upgrade(Version version) {
    if (version.generation == generation) {
      return version;
    }
    Object[] roots = roots(version);
    for (StateObject<?, ?> any : objects) {
      StateObject<Object, Object> object = cast(any);
      if (object.generation > version.generation) {
        roots[object.index] = adopted(object, roots[object.index]);
      } else if (mergeGeneration > version.generation) {
        roots[object.index] = object.merge(roots[object.index]);
      }
    }
    return new Version(this, generation, roots);
  }

  private Object adopted(StateObject<Object, Object> object, Object root) {
    Preparation prepared = preparation;
    return prepared == null ? object.adopt(root) : prepared.adopted(object, root);
  }

  /** Whether the object makes another root of the one in an earlier version than of this one. */
  boolean isMadeAnew(StateObject<?, ?> object, Version earlier, Version version) {
    return earlier.generation < version.generation
        && Math.max(object.generation, mergeGeneration) > earlier.generation;
  }

  /** What the thread that declares has prepared, from now on; null if it has declared. */
  void preparation(@Nullable Preparation prepared) {
    preparation = prepared;
  }

  @Nullable Preparation preparation() {
    return preparation;
  }

  boolean isSame(Version left, Version right) {
    List<StateObject<?, ?>> ours = filled(left);
    List<StateObject<?, ?>> theirs = right.schema.filled(right);
    if (ours.size() != theirs.size()) {
      return false;
    }
    for (int i = 0; i < ours.size(); i++) {
      StateObject<Object, Object> object = cast(ours.get(i));
      StateObject<?, ?> other = theirs.get(i);
      if (BY_NAME.compare(object, other) != 0
          || !object.isSameRoot(left.root(object), right.root(other))) {
        return false;
      }
    }
    return true;
  }

  /** The objects whose roots differ, by kind and name. */
  List<String> changed(Version left, Version right) {
    Version before = upgrade(left);
    Version after = upgrade(right);
    List<String> changed = new ArrayList<>();
    for (StateObject<?, ?> any : byName) {
      StateObject<Object, Object> object = cast(any);
      if (!object.isSameRoot(before.root(object), after.root(object))) {
        changed.add(object.toString());
      }
    }
    return changed;
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
    Object[] roots = roots(version);
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
    return changed ? new Version(this, version.generation, roots) : version;
  }

  Footprint footprint(Change change) {
    List<Object> log = new ArrayList<>();
    for (StateObject<?, ?> object : objects) {
      Object writes = change.writes(object);
      if (writes != null && object instanceof KeyedObject<?, ?> keyed) {
        keyed.addTo(log, writes);
      } else if (writes != null) {
        log.add(object);
        log.add(object);
        log.add(writes);
      }
    }
    return Footprint.of(log.toArray());
  }

  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  Version expire(Version version, long throughMillis) {
    Object @Nullable [] roots = null;
    for (StateObject<?, ?> any : objects) {
      StateObject<Object, Object> object = cast(any);
      Object root = version.root(object);
      Object left = object.expire(root, throughMillis);
      if (left != root) {
        roots = roots == null ? roots(version) : roots;
        roots[object.index] = left;
      }
    }
    return roots == null ? version : new Version(this, version.generation, roots);
  }

  void write(Change change, ByteWriter writer) {
    List<StateObject<?, ?>> known = byName;
    int touched = 0;
    for (int i = 0; i < known.size(); i++) {
      touched += change.writes(known.get(i)) == null ? 0 : 1;
    }
    writer.writeVarint(LAYOUT);
    writer.writeVarint(touched);
    for (int i = 0; i < known.size(); i++) {
      StateObject<Object, Object> object = cast(known.get(i));
      Object writes = change.writes(object);
      if (writes != null) {
        writeHead(object, writer);
        object.writeWrites(writes, writer);
      }
    }
  }

  Change readChange(ByteReader reader) {
    try {
      return new Change(this, readWrites(reader));
    } catch (MalformedException malformed) {
      complain(malformed);
      throw malformed;
    }
  }

  long hash(Version version) {
    List<StateObject<?, ?>> filled = filled(version);
    long hash = filled.size();
    for (StateObject<?, ?> any : filled) {
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

  List<StateObject<?, ?>> objects() {
    return objects;
  }

  /** All objects by rising name and kind. */
  List<StateObject<?, ?>> byName() {
    return byName;
  }

  /** A copy of all roots by index, those declared since included. */
  Object[] roots(Version version) {
    Object[] before = version.sharedRoots();
    List<StateObject<?, ?>> known = objects;
    Object[] roots = Arrays.copyOf(before, known.size());
    for (int i = before.length; i < roots.length; i++) {
      roots[i] = known.get(i).emptyRoot();
    }
    return roots;
  }

  private Object[] emptyRoots() {
    List<StateObject<?, ?>> known = objects;
    Object[] roots = new Object[known.size()];
    for (StateObject<?, ?> object : known) {
      roots[object.index] = object.emptyRoot();
    }
    return roots;
  }

  private List<StateObject<?, ?>> filled(Version version) {
    List<StateObject<?, ?>> filled = new ArrayList<>();
    for (StateObject<?, ?> any : byName) {
      StateObject<Object, Object> object = cast(any);
      if (!object.isEmpty(version.root(object))) {
        filled.add(object);
      }
    }
    return filled;
  }

  private void sort() {
    List<StateObject<?, ?>> sorted = new ArrayList<>(objects);
    sorted.sort(BY_NAME);
    byName = List.copyOf(sorted);
  }

  static void writeHead(StateObject<?, ?> object, ByteWriter writer) {
    writer.writeString(object.name);
    writer.writeByte(object.kind.code);
  }

  /** Lets people know of bytes that do not fit. */
  void complain(MalformedException malformed) {
    complaints.add(
        "bytes",
        () ->
            "what another node sent does not fit what is declared here, and is ignored: %s. Use the"
                    .formatted(malformed.getMessage())
                + " same version of the code at every node. Others are not logged");
  }

  private @Nullable Object[] readWrites(ByteReader reader) {
    long layout = reader.readVarint();
    if (layout != LAYOUT) {
      throw new MalformedException(
          "unknown layout of a change: " + Long.toUnsignedString(layout) + ", not " + LAYOUT);
    }
    int count = Math.min(COLLECTIONS_MAX + 1, reader.readCount(OBJECT_SIZE_MIN_BYTES));
    @Nullable Object[] writes = new Object[objects.size()];
    @Nullable StateObject<?, ?> last = null;
    for (int i = 0; i < count; i++) {
      StateObject<Object, Object> object = readHead(reader);
      if (last != null && BY_NAME.compare(last, object) >= 0) {
        throw new MalformedException(object + " is duplicated or out of order");
      }
      last = object;
      if (object.index >= writes.length) { // Declared by these bytes.
        writes = Arrays.copyOf(writes, objects.size());
      }
      long beganNanos = slow.beginNanos();
      writes[object.index] = object.readWrites(reader);
      slow.read(object, beganNanos);
    }
    return writes;
  }

  /** The object whose name and kind follow. */
  StateObject<Object, Object> readHead(ByteReader reader) {
    String name = reader.readString();
    return cast(find(name, kind(name, reader.readByte())));
  }

  private static Kind kind(String name, int code) {
    Kind kind = Kind.ofCode(code);
    if (kind == null) {
      throw new MalformedException("collection '" + shown(name) + "' has an unknown kind: " + code);
    }
    return kind;
  }

  private StateObject<?, ?> find(String name, Kind kind) {
    for (StateObject<?, ?> object : byName) {
      if (object.name.equals(name) && object.kind == kind) {
        return object;
      }
    }
    if (!Names.isName(name) || objects.size() >= COLLECTIONS_MAX) {
      throw new MalformedException(
          Names.isName(name)
              ? "more than " + COLLECTIONS_MAX + " collections"
              : "invalid collection name '" + shown(name) + "'");
    }
    return undeclared.apply(name, kind);
  }

  /** Bytes from outside do not get to fill a log. */
  private static String shown(String name) {
    return name.length() <= Names.LENGTH_MAX ? name : name.substring(0, 64) + "...";
  }

  /** Roots and writes come from the very object that they are given to. */
  @SuppressWarnings("unchecked")
  static StateObject<Object, Object> cast(StateObject<?, ?> object) {
    return (StateObject<Object, Object>) object;
  }
}
