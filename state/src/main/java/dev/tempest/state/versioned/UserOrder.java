package dev.tempest.state.versioned;

import dev.tempest.values.encoding.UserCode;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a sorted object in the order of a user's {@code compareTo}. It is found out where
 * somebody asks for it, in his thread, and from then on only for what has changed since: where the
 * writes of others are applied no code of users runs.
 *
 * <p>A key that cannot be compared is refused when it is written. Nodes that have not heard of each
 * other, or whose code differs, may write such keys nevertheless: they come last, by their
 * contents. Thread-safe.
 */
final class UserOrder<K> {
  private final StoredType<K> keys;
  private final Entries<K, Object> entries;

  /** The order of these entries, or of earlier ones. */
  private volatile Sorted<K> known;

  /**
   * What the order was once.
   *
   * @param apart the keys that cannot be compared
   */
  private record Sorted<K>(
      Entries<K, Object> entries, SortedTree<K, Object> tree, TrieMap<K, Present> apart) {}

  private UserOrder(StoredType<K> keys, Entries<K, Object> entries, Sorted<K> known) {
    this.keys = keys;
    this.entries = entries;
    this.known = known;
  }

  /** Of no entries. */
  static <K> UserOrder<K> none(StoredType<K> keys, Entries<K, Object> none) {
    TrieMap<K, Present> apart = TrieMap.empty(keys.type());
    return new UserOrder<>(keys, none, new Sorted<>(none, new Sorting<>(keys, apart).tree, apart));
  }

  /** Of what has come of the entries. */
  UserOrder<K> of(Entries<K, Object> later) {
    return new UserOrder<>(keys, later, known);
  }

  SortedTree<K, Object> tree() {
    Sorted<K> sorted = known;
    if (!isOfThese(sorted)) {
      sorted = caughtUp(sorted);
      known = sorted;
    }
    return sorted.tree;
  }

  /** Throws what {@code compareTo} throws for a key that is to be added. */
  void require(K key) {
    keys.requireOrder(key);
    tree().find(key); // Goes the way that the key will go.
  }

  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  private boolean isOfThese(Sorted<K> sorted) {
    return sorted.entries == entries;
  }

  private Sorted<K> caughtUp(Sorted<K> earlier) {
    Sorting<K> sorting = new Sorting<>(keys, earlier.apart);
    sorting.tree = earlier.tree;
    entries.difference(earlier.entries, sorting::show);
    if (sorting.failed || sorting.tree.size() != entries.size()) {
      sorting = new Sorting<>(keys, TrieMap.empty(keys.type()));
      Cursor<K, Object> cursor = entries.cursor();
      while (cursor.advance()) {
        sorting.add(cursor.key(), cursor.value());
      }
    }
    return new Sorted<>(entries, sorting.tree, sorting.apart);
  }

  /** One time of catching up. */
  private static final class Sorting<K> {
    private final StoredType<K> keys;
    private TrieMap<K, Present> apart;
    private SortedTree<K, Object> tree;
    private boolean failed;

    Sorting(StoredType<K> keys, TrieMap<K, Present> apart) {
      this.keys = keys;
      this.apart = apart;
      this.tree = SortedTree.empty((left, right) -> compare(keys, apart, left, right));
    }

    void show(K key, @Nullable Object was, @Nullable Object is) {
      if (was == null && is != null) {
        add(key, is);
        return;
      }
      try {
        tree = is == null ? tree.remove(key) : tree.put(key, is);
        if (is == null && apart.get(key) != null) {
          setApart(apart.remove(key));
        }
      } catch (Throwable ofTheUser) {
        UserCode.rethrowIfFatal(ofTheUser);
        failed = true; // Where it lies it cannot be compared any more.
      }
    }

    void add(K key, Object slot) {
      try {
        keys.requireOrder(key);
        tree = tree.put(key, slot);
      } catch (Throwable ofTheUser) {
        UserCode.rethrowIfFatal(ofTheUser);
        setApart(apart.put(key, Present.PRESENT));
        tree = tree.put(key, slot);
      }
    }

    private void setApart(TrieMap<K, Present> now) {
      apart = now;
      tree = tree.orderedBy((left, right) -> compare(keys, now, left, right));
    }

    private static <K> int compare(StoredType<K> keys, TrieMap<K, Present> apart, K left, K right) {
      if (apart.size() == 0) {
        return keys.compare(left, right);
      }
      boolean isLeftApart = apart.get(left) != null;
      boolean isRightApart = apart.get(right) != null;
      if (isLeftApart != isRightApart) {
        return isLeftApart ? 1 : -1;
      }
      return isLeftApart ? keys.compareContents(left, right) : keys.compare(left, right);
    }
  }
}
