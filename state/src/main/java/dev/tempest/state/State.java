package dev.tempest.state;

import dev.tempest.state.StateObject.Kind;
import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueType;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state of a service: its class declares its collections here, in its constructor, and gets the
 * time and random numbers of a request from here.
 *
 * <pre>{@code
 * ShoppingCartService(State state) {
 *   this.carts = state.map("carts", CartItem.class, Integer.class);
 * }
 * }</pre>
 *
 * <p>The collections work in the thread of the {@link Action} that executes, on its version;
 * outside one every use throws {@link IllegalStateException}. Values are copied in and out:
 * changing an array that you put or got changes nothing in the map. Null is refused. Collections
 * iterate in an order that depends only on their contents and is the same in every JVM.
 *
 * <p>The second half of the methods is for the executor, which makes the next version out of one
 * and an action. Several threads may each execute an action at the same time, over the same version
 * or different ones; each sees only its own. An action belongs to the thread that began it, and
 * declarations to one thread at a time; versions and changes belong to none.
 */
public final class State {
  private final @Nullable Home home;
  private final Declarations declarations;
  private final Schema schema;
  private final Executing executing = new Executing();

  /** The state of a service: its collections are declared before the first version. */
  public State() {
    this(null, Declarations.ofService());
  }

  /**
   * A state outside of services: collections are declared at any time, also by what others wrote;
   * every write is an action.
   *
   * @param terms how entries of a collection live, by its name
   */
  public State(Home home, Function<String, Terms> terms) {
    this(home, Declarations.ofNode(home, terms));
  }

  private State(@Nullable Home home, Declarations declarations) {
    this.home = home;
    this.declarations = declarations;
    this.schema = declarations.schema();
  }

  /**
   * Declares a map.
   *
   * <p>It does what {@link ConcurrentMap} says. Values that are arrays, or records that contain
   * one, compare by contents in {@link ConcurrentMap#replace(Object, Object, Object)} and {@link
   * ConcurrentMap#remove(Object, Object)}. Iterators walk over the contents of the moment when they
   * were made.
   *
   * @param name 1 to 64 characters of a-z, 0-9 and -, unlike the other names of this state
   * @param within further classes: those of the elements if keys or values are containers, and the
   *     implementing classes if they are interfaces
   * @throws IllegalArgumentException if the name is not valid, or keys contain arrays
   * @throws UnsupportedTypeException if {@code keys} or {@code values} cannot be values
   * @throws IllegalStateException if there is a version already, or the name stands for another
   *     kind of object
   */
  public <K, V> TimedMap<K, V> map(
      String name, Class<K> keys, Class<V> values, Class<?>... within) {
    return new StateMap<>(this, declarations.map(Kind.MAP, name, keys, values, within));
  }

  /**
   * Declares a set.
   *
   * @param name as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid, or elements contain arrays
   * @throws UnsupportedTypeException if {@code elements} cannot be values
   * @throws IllegalStateException as in {@link #map}
   */
  public <E> Set<E> set(String name, Class<E> elements, Class<?>... within) {
    return new StateSet<>(this, declarations.set(Kind.SET, name, elements, within));
  }

  /**
   * Declares a list.
   *
   * <p>It does what {@link List} says, and is not {@link java.util.RandomAccess}: access by index
   * takes time logarithmic in the size. An element keeps its place: two concurrent insertions at
   * one place both stay, and a removal removes the very element that was seen. Iterators, list
   * iterators too, walk over the elements as they were when the iterator was made; writes through
   * them go to the elements that they passed. A sublist is what lies between the two elements that
   * surrounded it when it was made.
   *
   * @param name as in {@link #map}
   * @param within as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid
   * @throws UnsupportedTypeException if {@code elements} cannot be values
   * @throws IllegalStateException as in {@link #map}
   */
  public <E> List<E> list(String name, Class<E> elements, Class<?>... within) {
    return new StateList<>(
        Elements.all(this, declarations.sequence(Kind.LIST, name, elements, within)));
  }

  /**
   * Declares a deque: a queue, a stack, or both.
   *
   * <p>It does what {@link BlockingDeque} says. Blocking methods wait for writes of other nodes
   * too; in a service or an action they throw instead of waiting. Two nodes that take concurrently
   * may both get the same element, which is then removed once; no element is lost.
   *
   * @param name as in {@link #map}
   * @param capacity this node adds no element to a deque that has this many; nodes that add
   *     concurrently may together exceed it; at least 1
   * @param within as in {@link #map}
   * @throws IllegalArgumentException if the name or capacity is not valid
   * @throws UnsupportedTypeException if {@code elements} cannot be values
   * @throws IllegalStateException as in {@link #map}
   */
  public <E> BlockingDeque<E> deque(
      String name, int capacity, Class<E> elements, Class<?>... within) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "the capacity of deque '" + name + "' is " + capacity + ": make it 1 or more");
    }
    KeyedObject<Position, E> object = declarations.sequence(Kind.DEQUE, name, elements, within);
    return new StateDeque<>(Elements.all(this, object), capacity);
  }

  /**
   * Declares a single value.
   *
   * @param name as in {@link #map}
   * @param within as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid
   * @throws UnsupportedTypeException if {@code value} cannot be a value
   * @throws IllegalStateException as in {@link #map}
   */
  public <V> Value<V> value(String name, Class<V> value, Class<?>... within) {
    return new StateValue<>(this, declarations.value(name, value, within));
  }

  /**
   * Declares a sorted map, in the natural order of its keys if they have one, else in an order that
   * is the same in every JVM.
   *
   * <p>It does what {@link ConcurrentNavigableMap} says. Ranges of it hold their bounds only, and
   * know their size in logarithmic time.
   *
   * @param name as in {@link #map}
   * @param within as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid, or keys contain arrays
   * @throws UnsupportedTypeException if {@code keys} or {@code values} cannot be values
   * @throws IllegalStateException as in {@link #map}
   */
  public <K, V> ConcurrentNavigableMap<K, V> sortedMap(
      String name, Class<K> keys, Class<V> values, Class<?>... within) {
    return new StateSortedMap<>(
        this, declarations.map(Kind.SORTED_MAP, name, keys, values, within));
  }

  /**
   * Declares a sorted set, in the order of the keys of a {@link #sortedMap}.
   *
   * @param name as in {@link #map}
   * @param within as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid, or elements contain arrays
   * @throws UnsupportedTypeException if {@code elements} cannot be values
   * @throws IllegalStateException as in {@link #map}
   */
  public <E> NavigableSet<E> sortedSet(String name, Class<E> elements, Class<?>... within) {
    return new StateSortedSet<>(this, declarations.set(Kind.SORTED_SET, name, elements, within));
  }

  /**
   * Declares a counter.
   *
   * @param name as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid
   * @throws IllegalStateException as in {@link #map}
   */
  public Counter counter(String name) {
    return new StateCounter(this, declarations.counter(name));
  }

  /**
   * Registers a merge function, so that merges with it send their operands.
   *
   * @throws IllegalStateException if another one of that name is registered
   */
  public void register(Merge<?> merge) {
    declarations.register(merge);
  }

  <K, V> ConcurrentMap<K, V> map(String name, ValueType<K> keys, ValueType<V> values) {
    return new StateMap<>(
        this, declarations.keyed(Kind.MAP, name, StoredType.of(keys), StoredType.of(values)));
  }

  <E> Set<E> set(String name, ValueType<E> elements) {
    return new StateSet<>(
        this, declarations.keyed(Kind.SET, name, StoredType.of(elements), Present.TYPE));
  }

  /**
   * The action of the request that the calling thread executes.
   *
   * @throws IllegalStateException if it executes none
   */
  public Action action() {
    Action action = current();
    if (action == null) {
      throw new IllegalStateException(
          "no request is executing: use state only within a service method, on the thread that"
              + " called it");
    }
    return action;
  }

  /** For the executor: the version in which every collection is empty. Ends the declarations. */
  public Version emptyVersion() {
    declarations.end();
    return schema.emptyVersion();
  }

  /**
   * For the executor: starts an action that may write. Ends the declarations.
   *
   * @param nowMillis the time that the request sees, milliseconds since 1970
   * @param seed of the random numbers that the request sees
   * @throws IllegalStateException if the calling thread executes an action on this State already
   * @throws IllegalArgumentException if {@code before} comes from another State
   */
  public Action begin(Version before, long nowMillis, long seed) {
    return begin(before, nowMillis, seed, false, null);
  }

  /**
   * For the executor: as {@link #begin(Version, long, long)}; the action knows its {@link
   * Action#footprint}.
   */
  public Action beginTraced(Version before, long nowMillis, long seed) {
    return begin(before, nowMillis, seed, false, new Trail());
  }

  /**
   * For the executor: starts an action in which every write throws {@link ReadOnlyException}. Its
   * random numbers follow from {@code nowMillis}.
   *
   * @param nowMillis the time that the request sees, milliseconds since 1970
   * @throws IllegalStateException if the calling thread executes an action on this State already
   * @throws IllegalArgumentException if {@code version} comes from another State
   */
  public Action beginReadOnly(Version version, long nowMillis) {
    return begin(version, nowMillis, nowMillis, true, null);
  }

  /**
   * For the executor: writes the contents of a version; equal versions give equal bytes.
   *
   * @throws dev.tempest.values.TooLargeException if they exceed the limit of {@code writer}
   */
  public void write(Version version, ByteWriter writer) {
    version.schema.write(version, writer);
  }

  /**
   * For the executor: reads the contents of a version. Collections that the bytes lack are empty.
   *
   * @throws dev.tempest.values.MalformedException if the bytes are no version of this state
   */
  public Version read(ByteReader reader) {
    declarations.end();
    return schema.read(reader);
  }

  /**
   * For the executor: writes a change; equal changes give equal bytes.
   *
   * @throws dev.tempest.values.TooLargeException if it exceeds the limit of {@code writer}
   */
  public void writeChange(Change change, ByteWriter writer) {
    change.schema().write(change, writer);
  }

  /**
   * For the executor: reads a change.
   *
   * @throws dev.tempest.values.MalformedException if the bytes are no change of this state
   */
  public Change readChange(ByteReader reader) {
    declarations.end();
    return schema.readChange(reader);
  }

  /**
   * For tools: the collections by name in the order of their declaration, each a read-only {@link
   * Map}, {@link Set} or a {@link Long}. From any thread.
   */
  public Map<String, Object> contents(Version version) {
    return version.schema.contents(version);
  }

  /**
   * For the executor: the next thing that somebody should look at and no caller is told, such as
   * that other nodes declare a collection otherwise; null if there is none. From any thread.
   */
  public @Nullable String takeComplaint() {
    return declarations.complaints().take();
  }

  /** A hash of the contents: equal versions have equal ones in every JVM. From any thread. */
  public long hash(Version version) {
    return version.schema.hash(version);
  }

  /** For the executor: hashes that follow the versions of this state, and begin with none. */
  public StateHashes hashes() {
    return new StateHashes(schema);
  }

  /**
   * For the executor: the version without what has ended by then; itself if nothing has.
   *
   * @param throughMillis milliseconds since 1970
   */
  public Version expire(Version version, long throughMillis) {
    return schema.expire(version, throughMillis);
  }

  /** For the executor: grows when objects are declared anew that versions have roots for. */
  public int generation() {
    return schema.generation();
  }

  /** For the executor: a version of an earlier {@link #generation} as one of this. */
  public Version upgrade(Version version) {
    return schema.upgrade(version);
  }

  /**
   * For the executor: the entries of {@code ours} that {@code theirs} has none of, as a change that
   * puts them where there is none still; for two that have grown apart. Counters are not part of
   * it: what they counted cannot be told apart.
   */
  public Change lacking(Version theirs, Version ours) {
    return Lacking.change(schema, theirs, ours);
  }

  /**
   * For the executor: calls the visitor for whatever of a collection differs between two versions.
   * The cost grows with the differences, not with the contents. From any thread.
   *
   * <p>The elements of a set are its keys; a counter and a single value are one entry each. The key
   * of an element of a list or deque is its index: apply the calls one by one to a copy of the
   * earlier list, and it becomes the later one, with expired elements still in it.
   *
   * @param collection a whole collection of this state
   * @throws IllegalArgumentException if it is none
   */
  public <K, V> void difference(
      Object collection, Version before, Version after, EntryVisitor<K, V> visitor) {
    CollectionDifference.show(
        this, collection, schema.upgrade(before), schema.upgrade(after), visitor);
  }

  /** The root of an object as the caller sees it, who may look at all of it. */
  Object root(StateObject<?, ?> object) {
    Action action = actionOrNull();
    if (action != null) {
      action.touchAll(object);
    }
    return root(action, object);
  }

  /** The root of a keyed object as the caller sees it, who looks at that key only. */
  @SuppressWarnings("unchecked") // The root was made by the object.
  <K, V> Keyed<K> keyed(KeyedObject<K, V> object, K key) {
    Action action = actionOrNull();
    if (action != null) {
      action.touchKey(object, key);
    }
    return (Keyed<K>) root(action, object);
  }

  /** The action of this state that the calling thread executes; null if it executes none. */
  private @Nullable Action current() {
    return home == null ? executing.action() : home.action();
  }

  /** The action of the caller; null if it reads what is published. */
  private @Nullable Action actionOrNull() {
    return home == null ? action() : home.action();
  }

  private Object root(@Nullable Action action, StateObject<?, ?> object) {
    return action != null
        ? action.root(object)
        : Objects.requireNonNull(home).published().root(object);
  }

  /** The root of a keyed object as the caller sees it, who may look at all of it. */
  @SuppressWarnings("unchecked") // The root was made by the object.
  <K, V> Keyed<K> keyed(KeyedObject<K, V> object) {
    return (Keyed<K>) root(object);
  }

  /** Whether the calling thread executes an action. */
  boolean isWriting() {
    return home == null || home.action() != null;
  }

  /** The time by which the caller sees entries expire. */
  long nowMillis() {
    Action action = current();
    return action != null ? action.nowMillis() : home == null ? 0 : home.nowMillis();
  }

  /** The action to write in, until {@link #end()}. */
  Action begin() {
    if (home != null) {
      home.enter();
    }
    Action action = action();
    if (action.isReadOnly()) {
      throw new ReadOnlyException();
    }
    return action;
  }

  /** Ends what {@link #begin()} began. */
  void end() {
    if (home != null) {
      home.leave();
    }
  }

  /**
   * Waits until the object may look other than {@code root}.
   *
   * @return the nanoseconds that are left of the timeout, 0 or less for none
   */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  long awaitChange(StateObject<?, ?> object, Object root, long timeoutNanos)
      throws InterruptedException {
    if (home == null || home.action() != null) {
      throw new IllegalStateException(
          "service methods and batches must not block: use the variant that returns at once");
    }
    Version seen = home.published();
    return seen.root(object) == root ? home.awaitNewer(seen, timeoutNanos) : timeoutNanos;
  }

  /** The merge function of that name, null if none is registered. */
  @Nullable Merge<Object> merge(String name) {
    return declarations.merge(name);
  }

  /** The calling thread executes the action no more. */
  void end(Action action) {
    if (home == null) {
      executing.end(action);
    }
  }

  static void requireSame(Schema schema, Schema other) {
    if (schema != other) {
      throw new IllegalArgumentException(
          "the version belongs to another State: carry it over with write and read");
    }
  }

  private Action begin(
      Version before, long nowMillis, long seed, boolean readOnly, @Nullable Trail trail) {
    requireSame(schema, before.schema);
    declarations.end();
    Action action = new Action(this, before, nowMillis, seed, readOnly, trail);
    if (home == null) {
      executing.begin(action);
    }
    return action;
  }
}
