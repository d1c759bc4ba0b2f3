package dev.tempest.state.versioned;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.function.Predicate;

/** As {@link BulkSet}, where elements may be there several times. */
abstract class BulkCollection<T> extends AbstractCollection<T> {
  /** Where it is written to. */
  abstract VersionedState state();

  @Override
  public boolean remove(Object doomed) {
    return state().atOnce(action -> super.remove(doomed));
  }

  @Override
  public boolean removeIf(Predicate<? super T> filter) {
    return state().atOnce(action -> super.removeIf(filter));
  }

  @Override
  public boolean removeAll(Collection<?> doomed) {
    return state().atOnce(action -> super.removeAll(doomed));
  }

  @Override
  public boolean retainAll(Collection<?> kept) {
    return state().atOnce(action -> super.retainAll(kept));
  }
}
