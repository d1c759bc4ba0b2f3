package dev.tempest.protocol.order;

import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A map from numbers whose every change is a new map that shares what it did not touch: a tree of
 * sixteen branches by the bits of the number's hash. Numbers have different hashes, so that each
 * finds a place of its own.
 *
 * <p>Iterates by hash, the same in every process. Immutable but for {@link Edit}.
 *
 * @param <V> its values, which are not changed
 */
final class LongMap<V> {
  private static final int BITS = 4;

  private record Leaf(long key, Object value) {}

  private static final class Node {
    /** Each null, a leaf or a node. */
    final @Nullable Object[] slots;

    /** The edit that made it and may change it. */
    final Object owner;

    Node(@Nullable Object[] slots, Object owner) {
      this.slots = slots;
      this.owner = owner;
    }
  }

  private final Node root;
  private final int size;

  private LongMap(Node root, int size) {
    this.root = root;
    this.size = size;
  }

  /** An empty one. */
  static <V> LongMap<V> empty() {
    return new LongMap<>(new Node(new Object[1 << BITS], "nobody"), 0);
  }

  int size() {
    return size;
  }

  @SuppressWarnings("unchecked") // Only values of this type were ever put in.
  @Nullable V get(long key) {
    return (V) find(root, key);
  }

  void forEach(Consumer<? super V> visitor) {
    forEachFrom(
        0,
        value -> {
          visitor.accept(value);
          return true;
        });
  }

  /** Visits the values from a place on until the visitor says false. */
  void forEachFrom(long place, Predicate<? super V> visitor) {
    visit(root, place, place, visitor);
  }

  /** Where a key lies, to be compared as an unsigned number. */
  static long place(long key) {
    return Mix.mix(key);
  }

  private static int first(long hash) {
    return (int) (hash >>> (Long.SIZE - BITS));
  }

  /** Many changes at once: they copy what they touch once. */
  Edit<V> edit() {
    return new Edit<>(root, size);
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    Invariant.check(count(root) == size, "a map knows how many it holds");
  }

  private static int count(Node node) {
    int count = 0;
    for (Object slot : node.slots) {
      int within = slot instanceof Node deeper ? count(deeper) : slot == null ? 0 : 1;
      Invariant.check(slot == null || within > 0, "no node is empty but the root");
      count += within;
    }
    return count;
  }

  private static @Nullable Object find(Node from, long key) {
    Node node = from;
    for (long hash = place(key); ; hash <<= BITS) {
      switch (node.slots[first(hash)]) {
        case Node deeper -> node = deeper;
        case Leaf leaf -> {
          return leaf.key == key ? leaf.value : null;
        }
        case null, default -> {
          return null;
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // As above.
  private static <V> boolean visit(Node node, long rest, long place, Predicate<? super V> visitor) {
    boolean goesOn = true;
    for (int at = first(rest); at < node.slots.length && goesOn; at++) {
      long below = at == first(rest) ? rest << BITS : 0;
      goesOn =
          switch (node.slots[at]) {
            case Node deeper -> visit(deeper, below, place, visitor);
            case Leaf leaf ->
                Long.compareUnsigned(place(leaf.key), place) < 0 || visitor.test((V) leaf.value);
            case null, default -> true;
          };
    }
    return goesOn;
  }

  /** Makes one map of another. Not thread-safe, and of no use after {@link #done}. */
  static final class Edit<V> {
    private final Object self = new Object();
    private Node root;
    private int size;

    private Edit(Node root, int size) {
      this.root = root;
      this.size = size;
    }

    @SuppressWarnings("unchecked") // As above.
    @Nullable V get(long key) {
      return (V) find(root, key);
    }

    void put(long key, V value) {
      root = put(root, place(key), 0, new Leaf(key, value));
    }

    void remove(long key) {
      if (find(root, key) != null) {
        Node rest = remove(root, place(key));
        root = rest == null ? LongMap.<V>empty().root : rest;
        size--;
      }
    }

    LongMap<V> done() {
      return new LongMap<>(root, size);
    }

    private Node put(Node node, long hash, int depth, Leaf leaf) {
      Node owned = owned(node);
      int at = first(hash);
      long rest = hash << BITS;
      switch (owned.slots[at]) {
        case Node deeper -> owned.slots[at] = put(deeper, rest, depth + 1, leaf);
        case Leaf present when present.key != leaf.key -> {
          long others = place(present.key) << (BITS * (depth + 1));
          Node pair = new Node(new Object[1 << BITS], self);
          pair.slots[first(others)] = present;
          owned.slots[at] = put(pair, rest, depth + 1, leaf);
        }
        case null -> {
          size++;
          owned.slots[at] = leaf;
        }
        default -> owned.slots[at] = leaf;
      }
      return owned;
    }

    /** The node without the key, null if it held no other: what is empty takes no memory. */
    private @Nullable Node remove(Node node, long hash) {
      Node owned = owned(node);
      int at = first(hash);
      owned.slots[at] =
          owned.slots[at] instanceof Node deeper ? remove(deeper, hash << BITS) : null;
      for (Object slot : owned.slots) {
        if (slot != null) {
          return owned;
        }
      }
      return null;
    }

    @SuppressWarnings("ReferenceEquality") // An owner is itself and equals nothing else.
    private Node owned(Node node) {
      return node.owner == self ? node : new Node(node.slots.clone(), self);
    }
  }
}
