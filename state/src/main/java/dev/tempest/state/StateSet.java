package dev.tempest.state;

import dev.tempest.state.TrieObject.Removed;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A declared set as the service holds it, over the version of the action that executes. */
final class StateSet<E> extends AbstractSet<E> {
  private final State state;
  private final TrieObject<E, Present> object;

  StateSet(State state, TrieObject<E, Present> object) {
    this.state = state;
    this.object = object;
  }

  @Override
  public int size() {
    return trie().size();
  }

  @Override
  public boolean contains(Object element) {
    TrieMap<E, Present> trie = trie();
    E query = object.keys.asQuery(element);
    return query != null && trie.get(query) != null;
  }

  @Override
  public boolean add(E element) {
    Action action = state.writing();
    E stored = object.keys.in(element);
    TrieMap<E, Present> trie = action.root(object);
    int hash = trie.hash(stored);
    boolean absent = trie.get(stored, hash) == null;
    TrieMap<E, Present> after = absent ? trie.insert(stored, hash, Present.PRESENT) : trie;
    action.write(object, after, stored, Present.PRESENT);
    return absent;
  }

  @Override
  public boolean remove(Object element) {
    Action action = state.writing();
    E query = object.keys.asQuery(element);
    if (query == null) {
      return false;
    }
    TrieMap<E, Present> trie = action.root(object);
    int hash = trie.hash(query);
    boolean present = trie.get(query, hash) != null;
    action.write(
        object,
        present ? trie.removePresent(query, hash) : trie,
        object.keys.in(query),
        Removed.REMOVED);
    return present;
  }

  @Override
  public void clear() {
    Action action = state.writing();
    TrieCursor<E, Present> cursor = action.root(object).cursor();
    while (cursor.advance()) {
      action.write(object, object.emptyRoot(), cursor.key(), Removed.REMOVED);
    }
  }

  @Override
  public Iterator<E> iterator() {
    return new Elements(trie().cursor());
  }

  private TrieMap<E, Present> trie() {
    return state.action().root(object);
  }

  private final class Elements implements Iterator<E> {
    private final TrieCursor<E, Present> cursor;
    private boolean ahead;
    private @Nullable E last;

    Elements(TrieCursor<E, Present> cursor) {
      this.cursor = cursor;
    }

    @Override
    public boolean hasNext() {
      ahead = ahead || cursor.advance();
      return ahead;
    }

    @Override
    public E next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      ahead = false;
      E next = cursor.key();
      last = next;
      return object.keys.out(next);
    }

    @Override
    public void remove() {
      E removed = last;
      if (removed == null) {
        throw new IllegalStateException("there is no element to remove: call next() first");
      }
      last = null;
      StateSet.this.remove(removed);
    }
  }
}
