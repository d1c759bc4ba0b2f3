package dev.tempest;

import dev.tempest.admin.NodeMonitor;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.runtime.node.LocalMonitor;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.state.Action;
import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.state.State;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A member of a cluster, within the process that uses it. All members share their collections.
 *
 * <p>Every member has the whole contents in memory. Reads never wait. A write takes effect here at
 * once and reaches the other members within moments; unreachable members catch up through gossip.
 * In the end all members have applied all writes in the same order and have the same contents: of
 * two concurrent writes to one key the later one wins, by the clocks of the members. A process that
 * crashes loses the writes that it had not sent yet.
 *
 * <p>Collections whose configuration says {@code consistency: linearizable} are linearizable: a
 * write returns once a majority of the members has it, and a read waits until it shows every write
 * that had returned anywhere when it began. Functions that write may be called more than once, and
 * must have no effect but their result. Without a majority calls throw {@link OverloadedException}:
 * nothing was written; or {@link UnknownOutcomeException}: it may have been, or may come to be.
 *
 * <p>Collections are declared by name, as often as you like; the same name is the same collection
 * at all members. Stored values are copies: nobody can change them from outside. The short forms
 * capture the class of the values and take keys of built-in types; declare other keys, and
 * interfaces, with their classes. Built in are strings, boxed primitives, {@code byte[]}, numbers
 * of {@code java.math}, {@code UUID}, {@code java.time}, enums, records, and lists, sets, maps,
 * optionals and arrays of these.
 *
 * <p>Thread-safe, as are the collections.
 */
public final class Node implements AutoCloseable {
  private final LocalNode node;

  Node(LocalNode node) {
    this.node = node;
  }

  /** For Tempest's own tools: applications {@linkplain Tempest#join join}. */
  @SuppressWarnings("exports") // Applications do not see what it takes.
  public static Node of(LocalNode node) {
    return new Node(node);
  }

  /**
   * A map.
   *
   * <pre>{@code
   * Map<String, Cart> carts = node.map("carts");
   * }</pre>
   *
   * @param name 1 to 64 characters of a-z, 0-9 and -
   * @param valueType leave empty; captures the class of {@code V}
   * @throws IllegalArgumentException if the name is not valid, or is declared with other classes or
   *     as another kind of collection
   * @throws OverloadedException if another thread stays in its batch for too long
   * @throws dev.tempest.values.UnsupportedTypeException if {@code V} cannot be a value
   */
  @SafeVarargs
  public final <K, V> TimedMap<K, V> map(String name, V... valueType) {
    @SuppressWarnings("unchecked") // Keys of built-in types only.
    Class<K> keys = (Class<K>) Object.class;
    return map(name, keys, componentOf(valueType.getClass(), valueType.length));
  }

  /**
   * A map with keys and values of these classes.
   *
   * @param within further classes: those of the elements if keys or values are containers, and the
   *     implementing classes if they are interfaces
   */
  public <K, V> TimedMap<K, V> map(
      String name, Class<? super K> keys, Class<? super V> values, Class<?>... within) {
    return node.declare(name, state -> state.map(name, as(keys), as(values), within));
  }

  /** A map sorted by its keys, in their natural order. See {@link #map(String, Object[])}. */
  @SafeVarargs
  public final <K, V> ConcurrentNavigableMap<K, V> sortedMap(String name, V... valueType) {
    @SuppressWarnings("unchecked") // Keys of built-in types only.
    Class<K> keys = (Class<K>) (Class<?>) Comparable.class;
    return sortedMap(name, keys, componentOf(valueType.getClass(), valueType.length));
  }

  /** A sorted map of these classes. See {@link #map(String, Class, Class, Class[])}. */
  public <K, V> ConcurrentNavigableMap<K, V> sortedMap(
      String name, Class<? super K> keys, Class<? super V> values, Class<?>... within) {
    return node.declare(name, state -> state.sortedMap(name, as(keys), as(values), within));
  }

  /** A set. */
  @SafeVarargs
  public final <E> Set<E> set(String name, E... elementType) {
    return set(name, componentOf(elementType.getClass(), elementType.length));
  }

  /**
   * A set whose elements are of this class.
   *
   * @param within further classes, as for {@link #map(String, Class, Class, Class[])}
   */
  public <E> Set<E> set(String name, Class<? super E> elements, Class<?>... within) {
    return node.declare(name, state -> state.set(name, as(elements), within));
  }

  /** A set sorted by the natural order of its elements. */
  @SafeVarargs
  public final <E> NavigableSet<E> sortedSet(String name, E... elementType) {
    return sortedSet(name, componentOf(elementType.getClass(), elementType.length));
  }

  /** A sorted set of this class. See {@link #set(String, Class, Class[])}. */
  public <E> NavigableSet<E> sortedSet(String name, Class<? super E> elements, Class<?>... within) {
    return node.declare(name, state -> state.sortedSet(name, as(elements), within));
  }

  /** A list. Elements that two members insert at one place concurrently are both kept. */
  @SafeVarargs
  public final <E> List<E> list(String name, E... elementType) {
    return list(name, componentOf(elementType.getClass(), elementType.length));
  }

  /** A list of this class. See {@link #set(String, Class, Class[])}. */
  public <E> List<E> list(String name, Class<? super E> elements, Class<?>... within) {
    return node.declare(name, state -> state.list(name, as(elements), within));
  }

  /**
   * A queue, a stack, or both. No element is lost; two members that take the same element
   * concurrently both get it, unless the deque is linearizable.
   */
  @SafeVarargs
  public final <E> BlockingDeque<E> deque(String name, E... elementType) {
    return deque(name, componentOf(elementType.getClass(), elementType.length));
  }

  /** A deque of this class. See {@link #set(String, Class, Class[])}. */
  public <E> BlockingDeque<E> deque(String name, Class<? super E> elements, Class<?>... within) {
    return boundedDeque(name, Integer.MAX_VALUE, elements, within);
  }

  /**
   * A deque of this class with a limit. See {@link #set(String, Class, Class[])}.
   *
   * @param capacity this node adds no element to a deque that has this many; members that add
   *     concurrently may together exceed it, unless the deque is linearizable
   */
  public <E> BlockingDeque<E> boundedDeque(
      String name, int capacity, Class<? super E> elements, Class<?>... within) {
    return node.declare(name, state -> state.deque(name, capacity, as(elements), within));
  }

  /** A single value. */
  @SafeVarargs
  public final <V> Value<V> value(String name, V... valueType) {
    return value(name, componentOf(valueType.getClass(), valueType.length));
  }

  /** A single value of this class. See {@link #set(String, Class, Class[])}. */
  public <V> Value<V> value(String name, Class<? super V> value, Class<?>... within) {
    return node.declare(name, state -> state.value(name, as(value), within));
  }

  /** A counter. Increments by different members add up. */
  public Counter counter(String name) {
    return node.declare(name, state -> state.counter(name));
  }

  /**
   * Registers a merge function of your own: {@link java.util.Map#merge} with it combines what
   * several members merge concurrently. Register it at every member before you use it.
   *
   * @throws IllegalStateException if another function of that name is registered
   * @throws OverloadedException if another thread stays in its batch for too long
   */
  public void register(Merge<?> merge) {
    node.register(merge);
  }

  /**
   * Writes to any of the collections at once: other threads and members see all of the writes or
   * none. Reads within the batch see its writes. If {@code writes} throws, nothing is written.
   *
   * <p>One thread writes at a time; others wait until the batch returns, for the configured
   * deadline at most: a batch that waits for another thread's write, as of a parallel stream, sees
   * that refused with an {@link OverloadedException}. A batch is of eventual collections or of
   * linearizable ones, and may read eventual ones then; {@code writes} may be called again, from
   * the beginning, where it uses linearizable ones, or may use such and has to wait for room.
   *
   * @throws IllegalStateException if it writes to collections of both kinds; nothing is written
   */
  public void batch(Runnable writes) {
    node.batch(0, supplier(writes));
  }

  /** Like {@link #batch(Runnable)}, with a result. */
  public <T> T batch(Supplier<T> writes) {
    return node.batch(0, writes);
  }

  /**
   * Writes as {@link #batch(Runnable)} does, and returns once {@code acks} nodes have the writes in
   * memory, whatever the configuration says. What is written to linearizable collections a majority
   * of the members has, whatever {@code acks} says.
   *
   * <pre>{@code
   * node.batch(2, () -> carts.put("alice", cart));
   * }</pre>
   *
   * <p>The writes are then lost only if all of these nodes crash before they have passed them on.
   * While this thread waits, other threads and members see the writes, and other threads go on
   * writing. Nested batches wait once, at the end of the outermost, for the most acks that any of
   * them asks for. A batch that writes nothing does not wait.
   *
   * @param acks how many nodes, this one included: from 1, which does not wait, to 64
   * @throws MissingAcksException if fewer nodes are known to have the writes when the configured
   *     deadline passes, the thread is interrupted or the node is closed; the writes are not undone
   * @throws IllegalArgumentException if {@code acks} is out of range
   * @throws IllegalStateException if a service method that this node executes would wait; nothing
   *     is written
   */
  public void batch(int acks, Runnable writes) {
    batch(acks, supplier(writes));
  }

  /** Like {@link #batch(int, Runnable)}, with a result. */
  public <T> T batch(int acks, Supplier<T> writes) {
    if (acks < 1 || acks > CollectionConfig.ACKS_MAX) {
      throw new IllegalArgumentException(
          "acks must be 1 to " + CollectionConfig.ACKS_MAX + ", not " + acks);
    }
    return node.batch(acks, writes);
  }

  private Supplier<Node> supplier(Runnable writes) {
    return () -> {
      writes.run();
      return this;
    };
  }

  /**
   * A handle of what this node has seen, for {@link #awaitSeen} at another node: every write into
   * an eventual collection that has arrived here so far, its own included. It takes about 20 bytes
   * for each node that has written in the last seconds.
   *
   * @throws IllegalStateException if a handle cannot hold it: unsettled writes of more than 1,024
   *     nodes, or with more than 1,024 gaps
   */
  public Handle handle() {
    return new Handle(node.seen());
  }

  /**
   * Waits until this node has seen what another one had seen when it gave the handle, or what a
   * chain of requests has. From then on reads here see it, or newer writes.
   *
   * <pre>{@code
   * String seen = node.handle().toString();                         // at the one node, into a cookie
   * node.awaitSeen(Handle.parse(seen), Duration.ofMillis(200));     // at the other
   * }</pre>
   *
   * <p>Only eventual collections count; services in the handle are ignored, and linearizable
   * collections show what counts at every node. What was lost with its nodes, or is on the other
   * side of a partition, may never be seen here.
   *
   * @param timeout the longest wait; zero or less to only check, which waits for a batch or a step
   *     of this node that is under way, for at most a fifth of a second
   * @return whether this node has seen it in time
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException in a batch or a service method, or if the node is closed and has
   *     not seen it
   */
  public boolean awaitSeen(Handle handle, Duration timeout) throws InterruptedException {
    return node.awaitSeen(handle.seen(), timeout);
  }

  /**
   * The time and the random numbers of the batch that the calling thread executes.
   *
   * @throws IllegalStateException if it executes no batch
   */
  public Action action() {
    return node.action();
  }

  /**
   * Calls a listener for each entry of a map that changes, here or at another member.
   *
   * <p>Changes to one key arrive in order. A slow listener gets the newest: it misses a change if
   * another one to the same key follows before its turn. A late write that loses against a newer
   * one changes nothing and is not reported. To a listener what this node cannot read is not there.
   * One thread calls all listeners of the eventual collections of a node, and another one those of
   * its linearizable collections, without a lock, and rests 2 ms after each turn; they log what a
   * listener throws.
   *
   * @param map a map of this node, not a range of one
   * @return ends the listening when it is closed
   * @throws IllegalArgumentException if {@code map} is not such a map
   */
  public <K, V> Registration listen(
      java.util.Map<K, V> map, EntryListener<? super K, ? super V> listener) {
    return node.<K, V>listen(map, listener::changed);
  }

  /**
   * Calls a listener for each element that is added to a set or removed. See {@link
   * #listen(java.util.Map, EntryListener)}; an element that was removed and added again before the
   * listener's turn is not reported.
   */
  public <E> Registration listen(Set<E> set, ElementListener<? super E> listener) {
    return node.<E, Object>listen(
        set, (element, before, after) -> listener.changed(element, after != null));
  }

  /**
   * Calls a listener for each element of a list that changes. See {@link #listen(java.util.Map,
   * EntryListener)}: what holds there for a key holds here for an element. Changes at several
   * places are reported by rising index, whichever came first.
   */
  public <E> Registration listen(List<E> list, ListListener<? super E> listener) {
    return node.<Integer, E>listen(list, listener::changed);
  }

  /** As {@link #listen(List, ListListener)}, for a deque; its head has the index 0. */
  public <E> Registration listen(BlockingDeque<E> deque, ListListener<? super E> listener) {
    return node.<Integer, E>listen(deque, listener::changed);
  }

  /** Calls a listener when a value changes. See {@link #listen(java.util.Map, EntryListener)}. */
  public <V> Registration listen(Value<V> value, ValueListener<? super V> listener) {
    return node.<Object, V>listen(value, (key, before, after) -> listener.changed(before, after));
  }

  /**
   * Calls a listener when a counter changes: once for several increments if they come quickly. See
   * {@link #listen(java.util.Map, EntryListener)}.
   */
  public Registration listen(Counter counter, ValueListener<? super Long> listener) {
    return node.<Object, Long>listen(
        counter, (key, before, after) -> listener.changed(before, after));
  }

  /**
   * Calls a listener when late writes of other members were inserted before writes that were
   * already visible here, as happens after a partition.
   */
  public Registration onReconciled(ReconciliationListener listener) {
    return node.onReconciled(listener);
  }

  /**
   * Hosts a replica of a service in this process, beside the collections, and waits until the
   * replica has the state of the other members that host the service.
   *
   * <p>Every replica executes every update, so the service must take time and random numbers only
   * from its action: a service whose code takes them from its process is refused. Front-ends reach
   * this member as they reach a server, by its address or by multicast. When this node is closed,
   * the replica hands over what only it has executed.
   *
   * <pre>{@code
   * node.host("shopping-cart", ShoppingCart.class, ShoppingCartService::new);
   * }</pre>
   *
   * @param name front-ends ask for the service by this name
   * @param api the interface with the service's methods
   * @param factory makes the service over its state; called once, here. From then on only the
   *     node's own thread calls the service
   * @throws IllegalArgumentException if {@code api} is no service interface, the name is taken or
   *     not valid (a letter, then up to 63 letters, digits, dots, dashes or underscores), or the
   *     service is not deterministic
   * @throws dev.tempest.values.UnsupportedTypeException if a method takes or returns what cannot be
   *     a value
   * @throws IllegalStateException if the node is closed, nothing of the state comes for 75 s, the
   *     thread is interrupted, or it executes a batch, a service method, the constructor of a
   *     record or a merge function; then the node does not host the service
   */
  public <S> void host(String name, Class<S> api, Function<State, ? extends S> factory) {
    host(name, api, factory, ServiceOptions.defaults());
  }

  /**
   * As {@link #host(String, Class, Function)}, with options such as {@code
   * ServiceOptions.builder().execute(Execute.ANY).build()}.
   *
   * @param options the same at every node that hosts the service
   */
  public <S> void host(
      String name, Class<S> api, Function<State, ? extends S> factory, ServiceOptions options) {
    node.hostAndWait(Deployment.of(name, api, factory, options));
  }

  /** The interfaces of the services that this node hosts, by the names of the services. */
  public SortedMap<String, Class<?>> services() {
    return node.services();
  }

  /**
   * Opens a front-end that asks the services of this node, without the network.
   *
   * <pre>{@code
   * ShoppingCart cart = node.frontEnd().service(ShoppingCart.class);
   * }</pre>
   *
   * <p>It works like {@link FrontEnd#connect} with {@code acks} of 1: a call returns when this node
   * has executed the update, and the other nodes that host the service are sent it at the same
   * time. To wait until several nodes have executed an update, connect a front-end with more {@code
   * acks}. A method of a service must not wait for the answer: it would wait for its own thread,
   * and gets an {@link IllegalStateException}. The node closes the front-end when it is closed
   * itself; close it earlier if you no longer need it.
   *
   * @throws IllegalStateException if the node is closed
   */
  public FrontEnd frontEnd() {
    return new FrontEnd(node.client());
  }

  /**
   * Calls a listener when a service of this node turns out not to be deterministic. What the
   * listener throws is logged.
   */
  public Registration onDiverged(DivergenceListener listener) {
    return node.onDiverged(listener);
  }

  /**
   * Calls a listener when another member joins, leaves, falls silent or returns. All such listeners
   * of a node are called by one thread; what they throw is logged. They miss changes if more than
   * 1,024 wait for them.
   */
  public Registration onMembership(MembershipListener listener) {
    return node.onMembership(listener);
  }

  /**
   * The addresses of all members, this one first. Silent members are included for a while. Once the
   * node is closed, the members that it knew last.
   */
  public List<String> members() {
    return node.members();
  }

  /** Tells operators how this node is. */
  public NodeMonitor monitor() {
    return new LocalMonitor(node);
  }

  /**
   * Leaves the cluster. The eventual collections can still be read; the linearizable ones cannot,
   * since nobody tells this node any more what counts.
   */
  @Override
  public void close() {
    node.close();
  }

  /** Its address, for people. */
  @Override
  public String toString() {
    return "Node[" + node.address() + "]";
  }

  /** The class of a generic type has no parameters: that of a {@code List<Order>} is List. */
  @SuppressWarnings("unchecked")
  private static <T> Class<T> as(Class<?> declared) {
    return (Class<T>) declared;
  }

  @SuppressWarnings("unchecked") // The array that the compiler makes is one of E.
  private static <E> Class<E> componentOf(Class<?> array, int length) {
    if (length > 0) {
      throw new IllegalArgumentException(
          "Leave the last argument empty: it captures the class of the elements");
    }
    return (Class<E>) array.getComponentType();
  }
}
