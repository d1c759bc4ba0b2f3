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

  @Override
  public final boolean removeAll(Collection<?> doomed) {
    return map.state.atOnce(action -> super.removeAll(doomed));
  }

  @Override
  public final boolean retainAll(Collection<?> kept) {
    return map.state.atOnce(action -> super.retainAll(kept));
  }
}
