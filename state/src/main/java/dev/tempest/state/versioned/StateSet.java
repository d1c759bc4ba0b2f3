package dev.tempest.state.versioned;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A declared set over the version that the caller sees. */
final class StateSet<E> extends AbstractSet<E> implements KeyedCollection<E, Present> {
  private final VersionedState state;
  private final KeyedObject<E, Present> object;

  StateSet(VersionedState state, KeyedObject<E, Present> object) {
    this.state = state;
    this.object = object;
  }

  @Override
  public VersionedState state() {
    return state;
  }

  @Override
  public KeyedObject<E, Present> object() {
    return object;
  }

  @Override
  public int size() {
    return state.keyed(object).size();
  }

  @Override
  public boolean contains(Object element) {
    E query = object.keys.asQuery(element);
    Object slot = query == null ? null : state.keyed(object, query).entries().get(query);
    return slot != null
        && (!(slot instanceof Lease) || object.visible(slot, state.nowMillis()) != null);
  }

  @Override
  public boolean add(E element) {
    E stored = object.keys.in(element);
    VersionedAction action = state.begin();
    try {
      boolean absent = action.find(object, stored) == null;
      action.put(object, stored, Present.PRESENT);
      return absent;
    } finally {
      state.end();
    }
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return atOnce(() -> super.addAll(elements));
  }

  @Override
  public boolean removeAll(Collection<?> elements) {
    return atOnce(() -> super.removeAll(elements));
  }

  @Override
  public boolean retainAll(Collection<?> elements) {
    return atOnce(() -> super.retainAll(elements));
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return atOnce(() -> super.removeIf(filter));
  }

  @Override
  public boolean remove(Object element) {
    VersionedAction action = state.begin();
    try {
      E query = object.keys.asQuery(element);
      if (query == null) {
        return false;
      }
      boolean present = action.find(object, query) != null;
      action.remove(object, object.keys.in(query));
      return present;
    } finally {
      state.end();
    }
  }

  @Override
  public void clear() {
    VersionedAction action = state.begin();
    try {
      action.clear(object);
    } finally {
      state.end();
    }
  }

  @Override
  public Iterator<E> iterator() {
    return new Elements();
  }

  /** Many writes, one action. */
  private boolean atOnce(BooleanSupplier writes) {
    state.begin();
    try {
      return writes.getAsBoolean();
    } finally {
      state.end();
    }
  }

  private final class Elements implements Iterator<E> {
    private final VisibleCursor<E, Present> cursor =
        VisibleCursor.of(object, state.keyed(object), state.nowMillis());
    private boolean ahead;
    private @Nullable E last;

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
      last = cursor.storedKey();
      return cursor.key();
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
