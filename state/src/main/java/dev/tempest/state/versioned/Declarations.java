package dev.tempest.state.versioned;

import static java.util.stream.Collectors.joining;

import dev.tempest.state.Merge;
import dev.tempest.state.versioned.StateObject.Kind;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.encoding.ValueType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has been declared for a {@link VersionedState}: objects, each once or, outside of services,
 * again with further classes; and merge functions. Not thread-safe.
 */
final class Declarations {
  /** The key of a single value. */
  private static final StoredType<Byte> ONLY_KEY = StoredType.of(ValueType.of(byte.class));

  /** Types of values whose class does not say what they hold. */
  private static final List<Class<?>> CONTAINERS =
      List.of(List.class, Set.class, Map.class, Optional.class);

  private static final StoredType<Position> POSITIONS = StoredType.of(Position.TYPE);

  /** Null for those of a service. */
  private final @Nullable Home home;

  private final Function<String, Terms> terms;

  /** Never changed, but replaced: those who execute look into it while others declare. */
  private volatile Map<String, Merge<Object>> merges = new TreeMap<>();

  /** What code here has declared; other nodes may keep something else under the same name. */
  private final Map<String, Kind> kinds = new TreeMap<>();

  /** By name the classes of keyed objects among these, open where no declaration names one. */
  private final Map<String, Classes> classes = new TreeMap<>();

  private final Complaints complaints = new Complaints();
  private final SlowCode slow = new SlowCode(complaints);
  private final Merging merging = new Merging(this::merge, complaints, slow);
  private final Schema schema;
  private boolean hasEnded;

  private record Classes(StoredType<?> keys, StoredType<?> values) {}

  private Declarations(@Nullable Home home, Function<String, Terms> terms) {
    this.home = home;
    this.terms = terms;
    this.schema = new Schema(this::undeclared, complaints, slow);
    register(Merge.<Long>sum());
    register(Merge.<Long>max());
    register(Merge.<Long>min());
  }

  /** Those of a service, all made before the first version. */
  static Declarations ofService() {
    return new Declarations(null, name -> Terms.DEFAULT);
  }

  /** Those of a state in which anything is declared at any time, also by what others wrote. */
  static Declarations ofNode(Home home, Function<String, Terms> terms) {
    return new Declarations(home, terms);
  }

  private boolean isForService() {
    return home == null;
  }

  /** The objects; they may grow further. */
  Schema schema() {
    return schema;
  }

  Complaints complaints() {
    return complaints;
  }

  SlowCode slow() {
    return slow;
  }

  /** There is a version now: a service declares nothing more. */
  void end() {
    hasEnded = true;
  }

  /** As {@link VersionedState#register}. */
  @SuppressWarnings({"unchecked", "ReferenceEquality"}) // Functions have no equality of contents.
  void register(Merge<?> merge) {
    Merge<?> known = merges.get(merge.name());
    if (known != null && known != merge) {
      throw new IllegalStateException(
          "another merge function is already called '"
              + merge.name()
              + "': give yours another name");
    }
    if (known == null) {
      Map<String, Merge<Object>> more = new TreeMap<>(merges);
      more.put(merge.name(), (Merge<Object>) merge);
      merges = more;
      if (!isForService()) {
        schema.mergeRegistered();
      }
    }
  }

  /** The merge function of that name, null if none is registered. */
  @Nullable Merge<Object> merge(String name) {
    return merges.get(name);
  }

  CounterObject counter(String name) {
    StateObject<?, ?> known = known(Kind.COUNTER, name);
    if (known == null) {
      known = new CounterObject(name, schema.size(), schema.generation());
      schema.add(known);
    }
    kinds.put(name, Kind.COUNTER);
    return (CounterObject) known;
  }

  <K, V> KeyedObject<K, V> map(
      Kind kind, String name, Class<K> keys, Class<V> values, Class<?>... within) {
    requireWithin(kind, name, within, keys, values);
    return keyed(kind, name, keyType(kind, name, keys, within), type(kind, name, values, within));
  }

  <E> KeyedObject<E, Present> set(Kind kind, String name, Class<E> elements, Class<?>... within) {
    requireWithin(kind, name, within, elements);
    return keyed(kind, name, keyType(kind, name, elements, within), Present.TYPE);
  }

  <E> KeyedObject<Position, E> sequence(
      Kind kind, String name, Class<E> elements, Class<?>... within) {
    requireWithin(kind, name, within, elements);
    return keyed(kind, name, POSITIONS, type(kind, name, elements, within));
  }

  <V> KeyedObject<Byte, V> value(String name, Class<V> value, Class<?>... within) {
    requireWithin(Kind.VALUE, name, within, value);
    return keyed(Kind.VALUE, name, ONLY_KEY, type(Kind.VALUE, name, value, within));
  }

  /** A class does not say what its instances hold: {@code List<Cart>} is {@code List.class}. */
  private void requireWithin(Kind kind, String name, Class<?>[] within, Class<?>... declared) {
    for (Class<?> each : declared) {
      boolean isAny = each == Object.class;
      if (within.length == 0 && !isAny && CONTAINERS.stream().anyMatch(each::isAssignableFrom)) {
        String classes = Stream.of(declared).map(Declarations::literal).collect(joining(", "));
        throw new IllegalArgumentException(
            "%s '%s' does not say what each %s in it holds: declare it with (\"%s\", %s, Cart.class)"
                    .formatted(kind.word, name, each.getSimpleName(), name, classes)
                + ", with your class in place of Cart");
      }
    }
  }

  private static String literal(Class<?> type) {
    boolean isAny = type == Object.class || type == Comparable.class;
    return (isAny ? "String" : type.getSimpleName()) + ".class";
  }

  @SuppressWarnings("unchecked") // An object of the same types is one of these.
  <K, V> KeyedObject<K, V> keyed(Kind kind, String name, StoredType<K> keys, StoredType<V> values) {
    StateObject<?, ?> known = known(kind, name);
    if (known == null) {
      KeyedObject<K, V> object =
          keyed(kind, name, schema.size(), schema.generation(), keys, values);
      schema.add(object);
      kinds.put(name, kind);
      classes.put(name, new Classes(keys, values));
      return object;
    }
    KeyedObject<K, V> earlier = (KeyedObject<K, V>) known;
    Classes declared = classes.get(name);
    if (declared == null) { // By others only: nothing here works with the object yet.
      prepare(earlier, keys, values);
      kinds.put(name, kind);
      classes.put(name, new Classes(keys, values));
      return replaced(earlier, keys.after(earlier.keys), values.after(earlier.values));
    }
    classes.put(name, narrowed(earlier, declared, keys, values));
    KeyedObject<K, V> object =
        replaced(earlier, earlier.keys.and(keys), earlier.values.and(values));
    return object.showing(keys, values);
  }

  /** What others have filled is read before it is declared, if whoever declares can wait for it. */
  private <K, V> void prepare(KeyedObject<K, V> filled, StoredType<K> keys, StoredType<V> values) {
    Preparation preparation = schema.preparation();
    boolean isMore = keys.isMoreThan(filled.keys) || values.isMoreThan(filled.values);
    if (preparation != null && isMore && !isEmpty(filled)) {
      preparation.require(
          filled,
          () -> keyed(filled.kind, filled.name, filled.index, filled.generation, keys, values));
    }
  }

  @SuppressWarnings("unchecked") // The root was made by the object.
  private <K, V> boolean isEmpty(KeyedObject<K, V> object) {
    return object.isEmpty((Keyed<K>) Objects.requireNonNull(home).published().root(object));
  }

  /** The object with these types in its place, or itself if it has them. */
  @SuppressWarnings("ReferenceEquality") // What declares nothing more is the same type.
  private <K, V> KeyedObject<K, V> replaced(
      KeyedObject<K, V> earlier, StoredType<K> keys, StoredType<V> values) {
    if (keys == earlier.keys && values == earlier.values) {
      return earlier;
    }
    KeyedObject<K, V> object =
        keyed(earlier.kind, earlier.name, earlier.index, schema.generation() + 1, keys, values);
    schema.replace(object);
    return object;
  }

  /** The classes declared so far and these, which are refused unless they fit. */
  private Classes narrowed(
      KeyedObject<?, ?> object, Classes declared, StoredType<?> keys, StoredType<?> values) {
    requireCompatible(object, "keys", declared.keys, keys);
    requireCompatible(object, "values", declared.values, values);
    boolean narrowsKeys = declared.keys.isNarrowedBy(keys);
    boolean narrowsValues = declared.values.isNarrowedBy(values);
    if (narrowsKeys || narrowsValues) {
      requireFit(object, keys, values);
    }
    return new Classes(
        narrowsKeys ? keys : declared.keys, narrowsValues ? values : declared.values);
  }

  private static void requireCompatible(
      KeyedObject<?, ?> object, String what, StoredType<?> earlier, StoredType<?> later) {
    if (!earlier.isCompatible(later)) {
      throw new IllegalArgumentException(
          "%s is already declared with %s of %s, not %s: declare it the same way, or use another name"
              .formatted(object, what, earlier, later));
    }
  }

  /** An earlier declaration left the class open; what was stored since then may have settled it. */
  private void requireFit(KeyedObject<?, ?> object, StoredType<?> keys, StoredType<?> values) {
    Home inUse = Objects.requireNonNull(home);
    VersionedAction action = inUse.action();
    Object root = action == null ? inUse.published().root(object) : action.root(object);
    Cursor<?, Object> cursor = ((Keyed<?>) root).entries().cursor();
    while (cursor.advance()) {
      requireFit(object, cursor.key(), keys);
      Object slot = cursor.value();
      requireFit(object, slot instanceof Lease lease ? lease.value() : slot, values);
    }
  }

  private static void requireFit(KeyedObject<?, ?> object, Object stored, StoredType<?> type) {
    if (!type.fits(stored)) {
      throw new IllegalArgumentException(
          "%s already holds a %s, so it cannot be declared with %s: declare it with the classes of"
                  .formatted(object, stored.getClass().getName(), type)
              + " what it holds, or use another name");
    }
  }

  private <K, V> KeyedObject<K, V> keyed(
      Kind kind, String name, int index, int generation, StoredType<K> keys, StoredType<V> values) {
    Terms applying = terms.apply(name);
    return new KeyedObject<>(
        kind,
        name,
        index,
        generation,
        new Declaration<>(
            keys, values, applying.lifetime(), applying.decidesEverywhere(), isForService()),
        merging,
        complaints);
  }

  private void complainOfKinds(String name, Kind here, Kind elsewhere) {
    complaints.add(
        here + " " + name + " " + elsewhere,
        () ->
            "'%s' is declared as a %s here and as a %s at another node: these are two collections,"
                    .formatted(name, here.word, elsewhere.word)
                + " and neither node sees what the other writes. Declare it alike at every node,"
                + " or give one of them another name");
  }

  private void complainOfConsistency(String name) {
    complaints.add(
        name,
        () ->
            "'%s' is linearizable here and eventual at another node: these are two collections, and"
                    .formatted(name)
                + " neither node sees what the other writes. Give it the same consistency at every"
                + " node");
  }

  /** What others wrote to before code here has declared it. */
  private StateObject<?, ?> undeclared(String name, Kind kind) {
    Kind declared = kinds.get(name);
    if (declared != null && isForService()) {
      throw new UnreadableStateException(
          "'%s' is declared as a %s here, and is a %s in the state"
              .formatted(name, declared.word, kind.word));
    }
    if (declared != null) {
      complainOfKinds(name, declared, kind);
    }
    if (terms.apply(name).isElsewhere()) {
      complainOfConsistency(name);
    }
    StateObject<?, ?> object =
        switch (kind) {
          case COUNTER -> new CounterObject(name, schema.size(), schema.generation());
          case SET, SORTED_SET -> undeclared(kind, name, anyKeys(kind), Present.TYPE);
          case LIST, DEQUE -> undeclared(kind, name, POSITIONS, any());
          case VALUE -> undeclared(kind, name, ONLY_KEY, any());
          case MAP, SORTED_MAP -> undeclared(kind, name, anyKeys(kind), any());
        };
    schema.add(object);
    return object;
  }

  private <K, V> KeyedObject<K, V> undeclared(
      Kind kind, String name, StoredType<K> keys, StoredType<V> values) {
    return keyed(kind, name, schema.size(), schema.generation(), keys, values);
  }

  private static StoredType<Object> any() {
    return StoredType.any(Object.class);
  }

  /** In their natural order where the object is sorted, as declared keys are. */
  private static StoredType<?> anyKeys(Kind kind) {
    return kind.isSorted()
        ? StoredType.anyKeys(Comparable.class)
        : StoredType.anyKeys(Object.class);
  }

  private <T> StoredType<T> type(Kind kind, String name, Class<T> declared, Class<?>... within) {
    return typeFor(kind, name, () -> StoredType.any(declared, within));
  }

  private <T> StoredType<T> keyType(Kind kind, String name, Class<T> declared, Class<?>... within) {
    return typeFor(kind, name, () -> StoredType.anyKeys(declared, within));
  }

  /** What cannot be stored is refused with the name of the collection. */
  private static <T> T typeFor(Kind kind, String name, Supplier<T> type) {
    try {
      return type.get();
    } catch (UnsupportedTypeException refused) {
      throw new UnsupportedTypeException(
          "%s '%s': %s".formatted(kind.word, name, refused.getMessage()));
    }
  }

  /** The object of that kind and name if there is one that may be declared again. */
  private @Nullable StateObject<?, ?> known(Kind kind, String name) {
    Objects.requireNonNull(name);
    if (hasEnded && isForService()) {
      throw new IllegalStateException(
          "Collection '" + name + "' is declared too late: declare it in the constructor");
    }
    if (!Names.isName(name)) {
      throw new IllegalArgumentException(
          "Invalid collection name '" + name + "': use 1 to 64 characters of a-z, 0-9 and -");
    }
    Kind earlier = kinds.get(name);
    if (earlier != null && (isForService() || earlier != kind)) {
      throw new IllegalArgumentException(
          "%s '%s' is already declared: give every collection its own name"
              .formatted(earlier.word, name));
    }
    for (StateObject<?, ?> other : schema.named(name)) {
      if (other.kind == kind) {
        return other;
      }
      complainOfKinds(name, kind, other.kind);
    }
    if (schema.size() >= Schema.COLLECTIONS_MAX) {
      throw new IllegalStateException(
          "'" + name + "' exceeds the limit of " + Schema.COLLECTIONS_MAX + " collections");
    }
    return null;
  }
}
