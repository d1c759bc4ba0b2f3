package dev.tempest.state.versioned;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.function.Predicate;

/** What a map holds, as a set: what is done to many elements is one action. */
abstract class BulkSet<T, M extends KeyedMap<?, ?>> extends AbstractSet<T> {
  final M map;

  BulkSet(M map) {
    this.map = map;
  }

  public final VersionedState state() {
    return map.state();
  }

  @Override
  public final int size() {
    return map.size();
  }

  @Override
  public final boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public final void clear() {
    map.clear();
  }

  @Override
  public final boolean addAll(Collection<? extends T> added) {
    return map.state.atOnce(action -> super.addAll(added));
  }

  @Override
  public final boolean removeIf(Predicate<? super T> filter) {
    return map.state.atOnce(action -> super.removeIf(filter));
  }

  /** Looks each of them up here, whichever side is larger: by contents. */
  @Override
  public final boolean removeAll(Collection<?> doomed) {
    Object[] each = doomed.toArray();
    return map.state.atOnce(action -> {
      boolean removed = false;
      for (Object query : each) {
        removed |= query != null && remove(query);
      }
      return removed;
    });
  }

  /** Must not ask {@code kept} what it contains: it goes by its own equality. */
  @Override
  public abstract boolean retainAll(Collection<?> kept);
}
