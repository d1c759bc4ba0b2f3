package dev.tempest.state.versioned;

import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.state.ReadOnlyException;
import dev.tempest.state.State;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import dev.tempest.state.versioned.Home.Certain;
import dev.tempest.state.versioned.StateObject.Kind;
import dev.tempest.values.TooLargeException;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state of a service as its executor sees it, which makes the next version out of one and an
 * action.
 *
 * <p>Several threads may each execute an action at the same time, over the same version or
 * different ones; each sees only its own. An action belongs to the thread that began it, and
 * declarations to one thread at a time; versions and changes belong to none.
 */
public final class VersionedState implements State {
  private final @Nullable Home home;
  final Declarations declarations;
  private final Schema schema;
  private final Executing executing = new Executing();

  /** The state of a service: its collections are declared before the first version. */
  public VersionedState() {
    this(null, Declarations.ofService());
  }

  /**
   * A state outside of services: collections are declared at any time, also by what others wrote;
   * every write is an action.
   *
   * @param terms how entries of a collection live, by its name
   */
  public VersionedState(Home home, Function<String, Terms> terms) {
    this(home, Declarations.ofNode(home, terms));
  }

  private VersionedState(@Nullable Home home, Declarations declarations) {
    this.home = home;
    this.declarations = declarations;
    this.schema = declarations.schema();
  }

  @Override
  public <K, V> TimedMap<K, V> map(
      String name, Class<K> keys, Class<V> values, Class<?>... within) {
    return new StateMap<>(this, declarations.map(Kind.MAP, name, keys, values, within));
  }

  @Override
  public <E> Set<E> set(String name, Class<E> elements, Class<?>... within) {
    return new StateSet<>(this, declarations.set(Kind.SET, name, elements, within));
  }

  @Override
  public <E> List<E> list(String name, Class<E> elements, Class<?>... within) {
    return new StateList<>(
        Elements.all(this, declarations.sequence(Kind.LIST, name, elements, within)));
  }

  @Override
  public <E> BlockingDeque<E> deque(
      String name, int capacity, Class<E> elements, Class<?>... within) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "the capacity of deque '" + name + "' is " + capacity + ": make it 1 or more");
    }
    KeyedObject<Position, E> object = declarations.sequence(Kind.DEQUE, name, elements, within);
    return new StateDeque<>(Elements.all(this, object), capacity);
  }

  @Override
  public <V> Value<V> value(String name, Class<V> value, Class<?>... within) {
    return new StateValue<>(this, declarations.value(name, value, within));
  }

  @Override
  public <K, V> ConcurrentNavigableMap<K, V> sortedMap(
      String name, Class<K> keys, Class<V> values, Class<?>... within) {
    return new StateSortedMap<>(
        this, declarations.map(Kind.SORTED_MAP, name, keys, values, within));
  }

  @Override
  public <E> NavigableSet<E> sortedSet(String name, Class<E> elements, Class<?>... within) {
    return new StateSortedSet<>(this, declarations.set(Kind.SORTED_SET, name, elements, within));
  }

  @Override
  public Counter counter(String name) {
    return new StateCounter(this, declarations.counter(name));
  }

  @Override
  public void register(Merge<?> merge) {
    declarations.register(merge);
  }

  @Override
  public VersionedAction action() {
    VersionedAction action = current();
    if (action == null) {
      throw new IllegalStateException(
          "no request is executing: use state only within a service method, on the thread that"
              + " called it");
    }
    return action;
  }

  /** The version in which every collection is empty. Ends the declarations. */
  public Version emptyVersion() {
    declarations.end();
    return schema.emptyVersion();
  }

  /**
   * Starts an action that may write. Ends the declarations.
   *
   * @param nowMillis the time that the request sees, milliseconds since 1970
   * @param seed of the random numbers that the request sees
   * @throws IllegalStateException if the calling thread executes an action on this state already
   * @throws IllegalArgumentException if {@code before} comes from another state
   */
  public VersionedAction begin(Version before, long nowMillis, long seed) {
    return begin(before, nowMillis, seed, false, null);
  }

  /**
   * As {@link #begin(Version, long, long)}; the action knows its {@link VersionedAction#footprint}.
   */
  public VersionedAction beginTraced(Version before, long nowMillis, long seed) {
    return begin(before, nowMillis, seed, false, new Trail());
  }

  /**
   * Starts an action in which every write throws {@link ReadOnlyException}. Its random numbers
   * follow from {@code nowMillis}.
   *
   * @param nowMillis the time that the request sees, milliseconds since 1970
   * @throws IllegalStateException if the calling thread executes an action on this state already
   * @throws IllegalArgumentException if {@code version} comes from another state
   */
  public VersionedAction beginReadOnly(Version version, long nowMillis) {
    return begin(version, nowMillis, nowMillis, true, null);
  }

  /**
   * Begins to take a version of somebody else in.
   *
   * @param own what is here already
   * @param enoughBytes how large pieces are, about
   */
  public Assembly assembly(Version own, int enoughBytes) {
    declarations.end();
    return new Assembly(schema, schema.upgrade(own), enoughBytes);
  }

  /**
   * The piece of a version that an {@link Assembly} wishes for. From any thread.
   *
   * @param enoughBytes beyond it a piece ends as soon as it can
   * @throws dev.tempest.values.encoding.MalformedException if this is no wish
   * @throws dev.tempest.values.TooLargeException if entries that cannot be told apart take 200 MiB
   */
  public Bytes piece(Version version, Bytes wish, int enoughBytes) {
    return Pieces.piece(version, wish, enoughBytes);
  }

  /**
   * Writes a change; equal changes give equal bytes.
   *
   * @throws TooLargeException if it exceeds the limit of {@code writer}
   */
  public void writeChange(Change change, ByteWriter writer) {
    try {
      change.schema().write(change, writer);
    } catch (TooLargeException tooLarge) {
      throw new TooLargeException(
          "a change of %s: %s. Write less in one batch or update, and store what is large in"
                  .formatted(change.namesInWords(), tooLarge.getMessage())
              + " several writes");
    }
  }

  /**
   * Reads a change.
   *
   * @throws dev.tempest.values.encoding.MalformedException if the bytes are no change of this state
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
   * The next thing that somebody should look at and no caller is told, such as that other nodes
   * declare a collection otherwise; null if there is none. From any thread.
   */
  public @Nullable String takeComplaint() {
    return declarations.complaints().take();
  }

  /**
   * Once it has a clock, {@link #takeComplaint} names code of users, too, that takes long: merge
   * functions and constructors of records where writes are applied, and methods that report to it.
   * From any thread.
   */
  public SlowCode slow() {
    return declarations.slow();
  }

  /** A hash of the contents: equal versions have equal ones in every JVM. From any thread. */
  public long hash(Version version) {
    return version.schema.hash(version);
  }

  /** Hashes that follow the versions of this state, and begin with none. */
  public StateHashes hashes() {
    return new StateHashes(schema);
  }

  /**
   * The version without what has ended by then; itself if nothing has.
   *
   * @param throughMillis milliseconds since 1970
   */
  public Version expire(Version version, long throughMillis) {
    return schema.expire(version, throughMillis);
  }

  /** Grows when objects are declared anew that versions have roots for. */
  public int generation() {
    return schema.generation();
  }

  /** For a declaration of which others are not to wait for long; outside of services. */
  public Preparation preparation() {
    return new Preparation(schema);
  }

  /** A version of an earlier {@link #generation} as one of this. */
  public Version upgrade(Version version) {
    return schema.upgrade(version);
  }

  /**
   * The entries of {@code ours} that {@code theirs} has none of, as {@linkplain #readChange
   * changes} that put them where there is none still; for two that have grown apart. Counters are
   * not part of it: see {@link #addends}.
   *
   * @param enoughBytes beyond it a change ends and the next begins
   */
  public List<Bytes> lacking(Version theirs, Version ours, int enoughBytes) {
    return Lacking.changes(schema, theirs, ours, enoughBytes);
  }

  /** Whether something of a change adds up with what others wrote, see {@link #addends}. */
  public boolean hasAddends(Change change) {
    return Addends.areIn(schema, change);
  }

  /**
   * What of a change adds up with what others wrote, for two that have grown apart: increments of
   * counters, and merges into values that are in a version. Those that are not, are {@linkplain
   * #lacking lacking} as a whole.
   */
  public Change addends(Change change, Version into) {
    return Addends.of(schema, change, into);
  }

  /**
   * Follows a collection for a visitor, from version to version. From any thread.
   *
   * <p>The elements of a set are its keys; a counter and a single value are one entry each. The key
   * of an element of a list or deque is its index: apply the calls one by one to a copy of the
   * earlier list, and it becomes the later one, with expired elements still in it, and without
   * those that cannot be read here.
   *
   * @param collection a whole collection of this state
   * @throws IllegalArgumentException if it is none
   */
  @SuppressWarnings("unchecked") // A collection has keys and values of its own.
  public <K, V> Following follow(Object collection, EntryVisitor<K, V> visitor) {
    EntryVisitor<Object, Object> shown = (EntryVisitor<Object, Object>) visitor;
    Following following =
        switch (collection) {
          case StateCounter counter when counter.isOf(this) ->
              followCounter(counter.object(), shown);
          case KeyedCollection<?, ?> keyed when keyed.state() == this && !keyed.isPart() ->
              new FollowedEntries<>((KeyedObject<Object, Object>) keyed.object(), shown);
          default ->
              throw new IllegalArgumentException(
                  "this is not a whole collection of this node: pass what map(), list() and the"
                      + " like return");
        };
    return (before, after) -> following.show(schema.upgrade(before), schema.upgrade(after));
  }

  private static Following followCounter(
      CounterObject object, EntryVisitor<Object, Object> visitor) {
    return (before, after) -> {
      Object earlier = before.root(object);
      Object later = after.root(object);
      if (!earlier.equals(later)) {
        visitor.visit(object.name, earlier, later);
      }
    };
  }

  /** Whether it is a collection of this state, or part of one. */
  public boolean owns(Object collection) {
    return switch (collection) {
      case StateCounter counter -> counter.isOf(this);
      case KeyedCollection<?, ?> keyed -> keyed.state() == this;
      default -> false;
    };
  }

  /** The root of an object as the caller sees it, who may look at all of it. */
  Object root(StateObject<?, ?> object) {
    VersionedAction action = actionOrNull();
    if (action != null) {
      action.touchAll(object);
      return action.root(object);
    }
    Certain certain = shared().certain();
    return certain != null && !certain.except().contains(object)
        ? certain.version().root(object)
        : shared().published().root(object);
  }

  /** The root of a keyed object as the caller sees it, who looks at that key only. */
  @SuppressWarnings("unchecked") // The root was made by the object.
  <K, V> Keyed<K> keyed(KeyedObject<K, V> object, K key) {
    VersionedAction action = actionOrNull();
    if (action != null) {
      action.touchKey(object, key);
      return action.keyed(object);
    }
    Certain certain = shared().certain();
    return certain != null && !certain.except().contains(object, key)
        ? (Keyed<K>) certain.version().root(object)
        : (Keyed<K>) shared().published().root(object);
  }

  /** The action of this state that the calling thread executes; null if it executes none. */
  private @Nullable VersionedAction current() {
    return home == null ? executing.action() : home.action();
  }

  /** The action of the caller; null if it reads what is published. */
  private @Nullable VersionedAction actionOrNull() {
    return home == null ? action() : home.action();
  }

  /** Of a caller who executes no action. */
  private Home shared() {
    return Objects.requireNonNull(home);
  }

  /** The root of a keyed object as the caller sees it, who may look at all of it. */
  @SuppressWarnings("unchecked") // The root was made by the object.
  <K, V> Keyed<K> keyed(KeyedObject<K, V> object) {
    return (Keyed<K>) root(object);
  }

  /** Whether it is that of a service, whose actions may write more than travels as a change. */
  boolean isOfService() {
    return home == null;
  }

  /** Whether the calling thread executes an action. */
  boolean isWriting() {
    return home == null || home.action() != null;
  }

  /** The time by which the caller sees entries expire. */
  long nowMillis() {
    VersionedAction action = current();
    return action != null ? action.nowMillis() : home == null ? 0 : home.nowMillis();
  }

  /** By which those who wait measure how long they do; 0 where nobody can. */
  long nowNanos() {
    return home == null ? 0 : home.nowNanos();
  }

  /** Writes in the action of the caller, or in one that begins and ends with it. */
  <T extends @Nullable Object> T write(Function<VersionedAction, T> writes) {
    if (home != null) {
      return home.write(writes);
    }
    VersionedAction action = action();
    if (action.isReadOnly()) {
      throw new ReadOnlyException();
    }
    return writes.apply(action);
  }

  /** Many writes as one action: all of them, or none if they throw. */
  <T extends @Nullable Object> T atOnce(Function<VersionedAction, T> writes) {
    return write(action -> action.allOrNothing(writes));
  }

  /** An entry was used by a read, which does not wait until others hear of it. */
  <K, V> void used(KeyedObject<K, V> object, K key) {
    VersionedAction action = current();
    if (action != null && !action.isReadOnly()) {
      action.use(object, key);
    } else if (action == null && home != null) {
      home.later(() ->
          write(writing -> {
            writing.use(object, key);
            return null;
          }));
    }
  }

  /** Throws if the calling thread is interrupted, and may wait. */
  void requireUninterrupted() throws InterruptedException {
    if (home != null) {
      home.requireUninterrupted();
    }
  }

  /**
   * Waits until the object looks other than {@code root} here.
   *
   * @param untilNanos at the latest, as {@link #nowNanos} gives it
   * @return the nanoseconds that are left of the timeout, 0 or less for none
   */
  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  long awaitChange(StateObject<?, ?> object, Object root, long untilNanos)
      throws InterruptedException {
    if (home == null || home.action() != null) {
      throw new IllegalStateException(
          "service methods and batches must not block: use the variant that returns at once");
    }
    long leftNanos =
        home.awaitShown(version -> version.root(object) != root, untilNanos - home.nowNanos());
    return Math.min(leftNanos, untilNanos - home.nowNanos());
  }

  /** The merge function of that name, null if none is registered. */
  @Nullable Merge<Object> merge(String name) {
    return declarations.merge(name);
  }

  /** The calling thread executes the action no more. */
  void end(VersionedAction action) {
    if (home == null) {
      executing.end(action);
    }
  }

  static void requireSame(Schema schema, Schema other) {
    if (schema != other) {
      throw new IllegalArgumentException(
          "the version belongs to another state: carry it over in pieces");
    }
  }

  private VersionedAction begin(
      Version before, long nowMillis, long seed, boolean readOnly, @Nullable Trail trail) {
    requireSame(schema, before.schema);
    declarations.end();
    VersionedAction action = new VersionedAction(this, before, nowMillis, seed, readOnly, trail);
    if (home == null) {
      executing.begin(action);
    }
    return action;
  }
}
