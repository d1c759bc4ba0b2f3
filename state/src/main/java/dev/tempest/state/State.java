package dev.tempest.state;

import dev.tempest.values.UnsupportedTypeException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;

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
 * <p>Only Tempest implements it; versions to come may add methods.
 */
public interface State {
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
  <K, V> TimedMap<K, V> map(String name, Class<K> keys, Class<V> values, Class<?>... within);

  /**
   * Declares a set.
   *
   * @param name as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid, or elements contain arrays
   * @throws UnsupportedTypeException if {@code elements} cannot be values
   * @throws IllegalStateException as in {@link #map}
   */
  <E> Set<E> set(String name, Class<E> elements, Class<?>... within);

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
  <E> List<E> list(String name, Class<E> elements, Class<?>... within);

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
  <E> BlockingDeque<E> deque(String name, int capacity, Class<E> elements, Class<?>... within);

  /**
   * Declares a single value.
   *
   * @param name as in {@link #map}
   * @param within as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid
   * @throws UnsupportedTypeException if {@code value} cannot be a value
   * @throws IllegalStateException as in {@link #map}
   */
  <V> Value<V> value(String name, Class<V> value, Class<?>... within);

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
  <K, V> ConcurrentNavigableMap<K, V> sortedMap(
      String name, Class<K> keys, Class<V> values, Class<?>... within);

  /**
   * Declares a sorted set, in the order of the keys of a {@link #sortedMap}.
   *
   * @param name as in {@link #map}
   * @param within as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid, or elements contain arrays
   * @throws UnsupportedTypeException if {@code elements} cannot be values
   * @throws IllegalStateException as in {@link #map}
   */
  <E> NavigableSet<E> sortedSet(String name, Class<E> elements, Class<?>... within);

  /**
   * Declares a counter.
   *
   * @param name as in {@link #map}
   * @throws IllegalArgumentException if the name is not valid
   * @throws IllegalStateException as in {@link #map}
   */
  Counter counter(String name);

  /**
   * Registers a merge function, so that merges with it send their operands.
   *
   * @throws IllegalStateException if another one of that name is registered
   */
  void register(Merge<?> merge);

  /**
   * The action of the request that the calling thread executes.
   *
   * @throws IllegalStateException if it executes none
   */
  Action action();
}
