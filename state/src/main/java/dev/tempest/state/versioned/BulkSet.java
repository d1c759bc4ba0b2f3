package dev.tempest.state.versioned;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.function.Predicate;

/** A set over the version that the caller sees: what it does to many elements is one action. */
abstract class BulkSet<T> extends AbstractSet<T> {
  /** Where it is written to. */
  public abstract VersionedState state();

  @Override
  public boolean addAll(Collection<? extends T> added) {
    return state().atOnce(action -> super.addAll(added));
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
