package dev.tempest.state;

import dev.tempest.state.StateObject.Kind;
import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a service class declares its state objects with, in its constructor, and reads the time and
 * random numbers of a request from.
 *
 * <pre>{@code
 * ShoppingCartService(State state) {
 *   this.carts = state.map("carts", CartItem.class, Integer.class);
 * }
 * }</pre>
 *
 * <p>The collections work in the thread of the {@link Action} that executes, on its version;
 * outside one every use throws {@link IllegalStateException}. Values go in and out by value:
 * changing an array that was put, or was got, changes nothing in the map. Null is refused. All
 * iterate in an order of their own that depends on nothing but their contents, the same in every
 * JVM.
 *
 * <p>The second half of the methods is for the executor, which makes a version of the next out of
 * one and an action. Not thread-safe: declarations, actions and collections belong to one thread at
 * a time; versions and changes to any.
 */
public final class State {
  /** The most characters in a name. */
  static final int NAME_LENGTH_MAX = 64;

  private final List<StateObject<?, ?>> objects = new ArrayList<>();
  private @Nullable Schema schema;
  private @Nullable Action executing;

  /** No state objects yet. */
  public State() {}

  /**
   * Declares a map.
   *
   * <p>It does what {@link ConcurrentMap} says. Values that are arrays, or records that contain
   * one, compare by contents in {@link ConcurrentMap#replace(Object, Object, Object)} and {@link
   * ConcurrentMap#remove(Object, Object)}. Iterators walk over the contents of the moment when they
   * were made.
   *
   * @param name 1 to 64 characters of a-z, 0-9 and -, unlike the other names of this state
   * @throws IllegalArgumentException if the name is not, or keys contain arrays
   * @throws UnsupportedTypeException if {@code keys} or {@code values} cannot be values
   * @throws IllegalStateException if there is a version already
   */
  public <K, V> ConcurrentMap<K, V> map(String name, Class<K> keys, Class<V> values) {
    return map(name, StoredType.ofKeys(keys), StoredType.of(values));
  }

  /**
   * Declares a set.
   *
   * @param name as in {@link #map}
   * @throws IllegalArgumentException if the name is not, or elements contain arrays
   * @throws UnsupportedTypeException if {@code elements} cannot be values
   * @throws IllegalStateException if there is a version already
   */
  public <E> Set<E> set(String name, Class<E> elements) {
    return set(name, StoredType.ofKeys(elements));
  }

  /**
   * Declares a counter.
   *
   * @param name as in {@link #map}
   * @throws IllegalArgumentException if the name is not
   * @throws IllegalStateException if there is a version already
   */
  public Counter counter(String name) {
    return new StateCounter(this, declare(name, index -> new CounterObject(name, index)));
  }

  <K, V> ConcurrentMap<K, V> map(String name, ValueType<K> keys, ValueType<V> values) {
    return map(name, StoredType.of(keys), StoredType.of(values));
  }

  <E> Set<E> set(String name, ValueType<E> elements) {
    return set(name, StoredType.of(elements));
  }

  /**
   * The action of the request that executes now.
   *
   * @throws IllegalStateException if none does
   */
  public Action action() {
    Action action = executing;
    if (action == null) {
      throw new IllegalStateException(
          "no request is executing: state can be used only within a method of the service, on the"
              + " thread that called it");
    }
    return action;
  }

  /** For the executor: the version in which every state object is empty. Ends the declarations. */
  public Version emptyVersion() {
    return schema().emptyVersion();
  }

  /**
   * For the executor: starts an action that may write. Ends the declarations.
   *
   * @param nowMillis the time that the request sees, milliseconds since 1970
   * @param seed of the random numbers that the request sees
   * @throws IllegalStateException if an action has neither committed nor aborted yet
   * @throws IllegalArgumentException if {@code before} comes from another State
   */
  public Action begin(Version before, long nowMillis, long seed) {
    return begin(before, nowMillis, seed, false);
  }

  /**
   * For the executor: starts an action in which every write throws {@link ReadOnlyException}. Its
   * random numbers follow from {@code nowMillis}.
   *
   * @param nowMillis the time that the request sees, milliseconds since 1970
   * @throws IllegalStateException if an action has neither committed nor aborted yet
   * @throws IllegalArgumentException if {@code version} comes from another State
   */
  public Action beginReadOnly(Version version, long nowMillis) {
    return begin(version, nowMillis, nowMillis, true);
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
   * For the executor: reads the contents of a version. State objects that the bytes lack are empty.
   *
   * @throws dev.tempest.values.MalformedException if the bytes are no version of this state
   */
  public Version read(ByteReader reader) {
    return schema().read(reader);
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
    return schema().readChange(reader);
  }

  /**
   * For the executor: the version without the entries whose time to live has run out; {@code
   * version} itself if there are none.
   *
   * @param throughMillis entries with deadlines up to then go, milliseconds since 1970
   */
  public Version expire(Version version, long throughMillis) {
    return version;
  }

  /** For the executor: the same contents as a version of all that is declared by now. */
  public Version upgrade(Version version) {
    if (version.schema == schema()) {
      return version;
    }
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    write(version, writer);
    return read(writer.toBytes().reader());
  }

  /**
   * For the executor: what one version has and another lacks, for two that have grown apart.
   *
   * @param theirs the version that lacks it
   * @param ours the version that has it
   */
  public Change lacking(Version theirs, Version ours) {
    return new Change(schema(), new @Nullable Object[schema().size()]);
  }

  /**
   * For tools: the state objects by name in the order of their declaration, each a read-only {@link
   * Map}, {@link Set} or a {@link Long}. From any thread.
   */
  public Map<String, Object> contents(Version version) {
    return version.schema.contents(version);
  }

  /** A hash of the contents: equal versions have equal ones in every JVM. From any thread. */
  public long hash(Version version) {
    return version.schema.hash(version);
  }

  /** The action that executes now if it may write. */
  Action writing() {
    Action action = action();
    if (action.isReadOnly()) {
      throw new ReadOnlyException();
    }
    return action;
  }

  void end(Action action) {
    if (executing != action) {
      throw new IllegalStateException("this action has committed or aborted already");
    }
    executing = null;
  }

  static void requireSame(Schema schema, Schema other) {
    if (schema != other) {
      throw new IllegalArgumentException(
          "the version comes from another State; carry it over by write and read");
    }
  }

  private Action begin(Version before, long nowMillis, long seed, boolean readOnly) {
    requireSame(schema(), before.schema);
    if (executing != null) {
      throw new IllegalStateException(
          "another action is executing on this State: commit or abort it first");
    }
    Action action = new Action(this, before, nowMillis, seed, readOnly);
    executing = action;
    return action;
  }

  private Schema schema() {
    Schema known = schema;
    if (known == null) {
      known = new Schema(objects);
      schema = known;
    }
    return known;
  }

  private <K, V> ConcurrentMap<K, V> map(String name, StoredType<K> keys, StoredType<V> values) {
    return new StateMap<>(
        this, declare(name, index -> new TrieObject<>(Kind.MAP, name, index, keys, values)));
  }

  private <E> Set<E> set(String name, StoredType<E> elements) {
    return new StateSet<>(
        this,
        declare(name, index -> new TrieObject<>(Kind.SET, name, index, elements, Present.TYPE)));
  }

  private <T extends StateObject<?, ?>> T declare(String name, IntFunction<T> construct) {
    Objects.requireNonNull(name);
    if (schema != null) {
      throw new IllegalStateException(
          "'" + name + "' is declared too late: declare every state object in the constructor");
    }
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name of a state object: use 1 to 64 characters of a-z, 0-9 and -");
    }
    for (StateObject<?, ?> other : objects) {
      if (other.name.equals(name)) {
        throw new IllegalArgumentException(
            "there is a " + other + " already: give every state object a name of its own");
      }
    }
    if (objects.size() == Schema.OBJECTS_MAX) {
      throw new IllegalStateException(
          "'" + name + "' exceeds the limit of " + Schema.OBJECTS_MAX + " state objects");
    }
    T object = construct.apply(objects.size());
    objects.add(object);
    return object;
  }

  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char letter = name.charAt(i);
      if ((letter < 'a' || letter > 'z') && (letter < '0' || letter > '9') && letter != '-') {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= NAME_LENGTH_MAX;
  }
}
