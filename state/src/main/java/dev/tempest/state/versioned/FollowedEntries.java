package dev.tempest.state.versioned;

import dev.tempest.state.versioned.StateObject.Kind;
import dev.tempest.values.encoding.UserCode;
import org.jspecify.annotations.Nullable;

/** Follows a keyed object; lists and deques by index. */
final class FollowedEntries<K, V> implements Following {
  private final KeyedObject<K, V> object;
  private final EntryVisitor<Object, V> visitor;
  private final boolean isByIndex;

  /** What is there, but not to the visitor: where it is by index from the first version on. */
  private Entries<K, Present> untold;

  private boolean hasBegun;

  FollowedEntries(KeyedObject<K, V> object, EntryVisitor<Object, V> visitor) {
    this.object = object;
    this.visitor = visitor;
    this.isByIndex = object.kind == Kind.LIST || object.kind == Kind.DEQUE;
    this.untold =
        isByIndex ? SortedTree.empty(object.keys::compare) : TrieMap.empty(object.keys.type());
  }

  @Override
  public void show(Version before, Version after) {
    Keyed<K> earlier = root(before);
    Keyed<K> later = root(after);
    if (isByIndex && !hasBegun) {
      begin(earlier);
    }
    hasBegun = true;
    later.entries().difference(earlier.entries(), (key, was, is) -> show(later, key, was, is));
  }

  @SuppressWarnings("unchecked") // The root was made by the object.
  private Keyed<K> root(Version version) {
    return (Keyed<K>) version.root(object);
  }

  private void begin(Keyed<K> first) {
    Cursor<K, Object> cursor = first.entries().cursor();
    while (cursor.advance()) {
      if (!object.isReadable(cursor.value())) {
        untold = untold.put(cursor.key(), Present.PRESENT);
      }
    }
  }

  private void show(Keyed<K> later, K key, @Nullable Object was, @Nullable Object is) {
    boolean isUntold = untold.get(key) != null;
    if (!isUntold && was != null && is != null && object.isSameValue(was, is)) {
      return; // It is used, or was written again.
    }
    V before = isUntold ? null : outOrNull(was);
    V after = outOrNull(is);
    untold = is != null && after == null ? untold.put(key, Present.PRESENT) : untold.remove(key);
    if (before != null || after != null) {
      Object shown = isByIndex ? (Object) index(later, key) : keyOrNull(key);
      if (shown != null) {
        visitor.visit(shown, before, after);
      }
    }
  }

  /** They come by rising positions: whatever lies below has become what it is later. */
  private int index(Keyed<K> later, K position) {
    return ((SortedTree<K, Object>) later.entries()).rank(position)
        - ((SortedTree<K, Present>) untold).rank(position);
  }

  private @Nullable K keyOrNull(K key) {
    try {
      return object.keys.out(key);
    } catch (Throwable unreadable) {
      UserCode.rethrowIfFatal(unreadable);
      object.complainOfUntold(unreadable);
      return null;
    }
  }

  private @Nullable V outOrNull(@Nullable Object slot) {
    try {
      return slot == null ? null : object.values.out(object.value(slot));
    } catch (Throwable unreadable) {
      UserCode.rethrowIfFatal(unreadable);
      object.complainOfUntold(unreadable);
      return null;
    }
  }
}
