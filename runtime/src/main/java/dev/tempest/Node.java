package dev.tempest;

import dev.tempest.runtime.node.EmbeddedNode;
import dev.tempest.state.Action;
import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Supplier;

/**
 * A member of a cluster, within the process that uses it: its collections are those of all other
 * members too.
 *
 * <p>Every member has all of the contents. Reads come from memory and wait for nobody. A write
 * counts here at once and reaches the others in moments; those who cannot be reached get it when
 * they can. All members see all writes in the same order in the end, so they come to the same
 * contents: where two write to one key at a time, the later one wins, as said by their clocks. What
 * a process wrote and did not get out before it crashed is lost.
 *
 * <p>Collections are declared by name, as often as you like; the same name is the same collection,
 * at all members. What is stored is a value: nobody can change it from outside. The short forms
 * find out the class of the values by themselves and take keys of built-in types; others, and
 * interfaces, are declared with their classes. What is built in: strings, boxed primitives, {@code
 * byte[]}, numbers of {@code java.math}, {@code UUID}, {@code java.time}, enums, records, and
 * lists, sets, maps, optionals and arrays of these.
 *
 * <p>Thread-safe, as are the collections.
 */
public final class Node implements AutoCloseable {
  private final EmbeddedNode node;

  Node(EmbeddedNode node) {
    this.node = node;
  }

  /**
   * A map.
   *
   * <pre>{@code
   * Map<String, Cart> carts = node.map("carts");
   * }</pre>
   *
   * @param name 1 to 64 characters of a-z, 0-9 and -
   * @param valueType nothing: the compiler says by it what {@code V} is
   * @throws IllegalArgumentException if the name is not, or is that of another kind of collection
   * @throws dev.tempest.values.UnsupportedTypeException if {@code V} cannot be a value
   */
  @SafeVarargs
  public final <K, V> TimedMap<K, V> map(String name, V... valueType) {
    @SuppressWarnings("unchecked") // Keys of built-in types only.
    Class<K> keys = (Class<K>) Object.class;
    return map(name, keys, componentOf(valueType.getClass(), valueType.length));
  }

  /**
   * A map of your own classes.
   *
   * @param within the classes that lie within keys and values that are collections or interfaces
   */
  public <K, V> TimedMap<K, V> map(
      String name, Class<? super K> keys, Class<? super V> values, Class<?>... within) {
    return node.declare(state -> state.map(name, as(keys), as(values), within));
  }

  /** A map sorted by its keys, in their natural order. See {@link #map(String, Object[])}. */
  @SafeVarargs
  public final <K, V> ConcurrentNavigableMap<K, V> sortedMap(String name, V... valueType) {
    @SuppressWarnings("unchecked") // Keys of built-in types only.
    Class<K> keys = (Class<K>) (Class<?>) Comparable.class;
    return sortedMap(name, keys, componentOf(valueType.getClass(), valueType.length));
  }

  /** A sorted map of your own classes. See {@link #map(String, Class, Class, Class[])}. */
  public <K, V> ConcurrentNavigableMap<K, V> sortedMap(
      String name, Class<? super K> keys, Class<? super V> values, Class<?>... within) {
    return node.declare(state -> state.sortedMap(name, as(keys), as(values), within));
  }

  /** A set. */
  @SafeVarargs
  public final <E> Set<E> set(String name, E... elementType) {
    return set(name, componentOf(elementType.getClass(), elementType.length));
  }

  /**
   * A set of your own classes.
   *
   * @param within the classes that lie within elements that are collections or interfaces
   */
  public <E> Set<E> set(String name, Class<? super E> elements, Class<?>... within) {
    return node.declare(state -> state.set(name, as(elements), within));
  }

  /** A set sorted by the natural order of its elements. */
  @SafeVarargs
  public final <E> NavigableSet<E> sortedSet(String name, E... elementType) {
    return sortedSet(name, componentOf(elementType.getClass(), elementType.length));
  }

  /** A sorted set of your own classes. See {@link #set(String, Class, Class[])}. */
  public <E> NavigableSet<E> sortedSet(String name, Class<? super E> elements, Class<?>... within) {
    return node.declare(state -> state.sortedSet(name, as(elements), within));
  }

  /** A list. What two members insert at one place at a time is both there. */
  @SafeVarargs
  public final <E> List<E> list(String name, E... elementType) {
    return list(name, componentOf(elementType.getClass(), elementType.length));
  }

  /** A list of your own classes. See {@link #set(String, Class, Class[])}. */
  public <E> List<E> list(String name, Class<? super E> elements, Class<?>... within) {
    return node.declare(state -> state.list(name, as(elements), within));
  }

  /**
   * A queue, stack or both. No element is lost; one that two members take at a time is taken by
   * both.
   */
  @SafeVarargs
  public final <E> BlockingDeque<E> deque(String name, E... elementType) {
    Class<E> elements = componentOf(elementType.getClass(), elementType.length);
    return deque(name, elements, Integer.MAX_VALUE);
  }

  /**
   * A deque of your own classes, or with a limit.
   *
   * @param capacity the most elements up to which this node adds any
   */
  public <E> BlockingDeque<E> deque(String name, Class<? super E> elements, int capacity) {
    return node.declare(state -> state.deque(name, capacity, as(elements)));
  }

  /** A single value. */
  @SafeVarargs
  public final <V> Value<V> value(String name, V... valueType) {
    return value(name, componentOf(valueType.getClass(), valueType.length));
  }

  /** A single value of your own classes. See {@link #set(String, Class, Class[])}. */
  public <V> Value<V> value(String name, Class<? super V> value, Class<?>... within) {
    return node.declare(state -> state.value(name, as(value), within));
  }

  /** A counter. Increments of different members add up. */
  public Counter counter(String name) {
    return node.declare(state -> state.counter(name));
  }

  /**
   * Makes a merge function of your own known, so that {@link java.util.Map#merge} with it adds up
   * what several members merge at a time. To be done at every member, before it is used.
   *
   * @throws IllegalStateException if another one of that name is
   */
  public void register(Merge<?> merge) {
    node.declare(state -> {
      state.register(merge);
      return merge;
    });
  }

  /**
   * Writes to any of the collections at once: other threads and members see all of it or nothing.
   * Within, reads see what was written. If {@code writes} throws, nothing was written.
   *
   * <p>One thread at a time writes; others that want to wait until it returns.
   */
  public void batch(Runnable writes) {
    node.batch(() -> {
      writes.run();
      return this;
    });
  }

  /** Like {@link #batch(Runnable)}, with a result. */
  public <T> T batch(Supplier<T> writes) {
    return node.batch(writes);
  }

  /**
   * The action of the batch that the calling thread executes: its time and random numbers.
   *
   * @throws IllegalStateException if it executes none
   */
  public Action action() {
    return node.action();
  }

  /**
   * Calls a listener for each entry of a map of this node that changed, here or at another member.
   *
   * <p>Changes to one key come in their order. One that is followed by another to the same key
   * before the listener has been called may be left out: a slow listener sees the newest. All
   * listeners of a node are called by one thread, without a lock; what they throw is logged.
   *
   * @param map one of this node's
   * @return removes the listener
   */
  public <K, V> Registration listen(
      java.util.Map<K, V> map, EntryListener<? super K, ? super V> listener) {
    return node.listen(map, listener);
  }

  /** Like {@link #listen(java.util.Map, EntryListener)} for the elements of a set, as keys. */
  public <E> Registration listen(Set<E> set, EntryListener<? super E, ?> listener) {
    return node.listen(set, listener);
  }

  /**
   * Calls a listener after writes of others have come in late, as after a partition, and have been
   * put where they belong: before some of what was seen here already.
   */
  public Registration onReconciled(ReconciliationListener listener) {
    return node.onReconciled(listener);
  }

  /**
   * Calls a listener when another member joins, leaves, falls silent or returns. All such listeners
   * of a node are called by one thread; what they throw is logged.
   */
  public Registration onMembership(MembershipListener listener) {
    return node.onMembership(listener);
  }

  /** Where all members are reached, this one first; silent ones are among them for a while. */
  public List<String> members() {
    return node.members();
  }

  /** Says goodbye to the others and ends. The collections can still be read. */
  @Override
  public void close() {
    node.close();
  }

  /** Where this member is reached. */
  @Override
  public String toString() {
    return "Node[" + node.address() + "]";
  }

  /** The class of generic types has no parameters: that of a {@code List<Order>} is List. */
  @SuppressWarnings("unchecked")
  private static <T> Class<T> as(Class<?> declared) {
    return (Class<T>) declared;
  }

  @SuppressWarnings("unchecked") // The array that the compiler makes is one of E.
  private static <E> Class<E> componentOf(Class<?> array, int length) {
    if (length > 0) {
      throw new IllegalArgumentException("the last argument is the compiler's: leave it out");
    }
    return (Class<E>) array.getComponentType();
  }
}
