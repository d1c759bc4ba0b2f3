package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Elements.View;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What lists and deques over the version that the caller sees do alike. */
abstract sealed class StateSequence<E> extends AbstractCollection<E>
    implements KeyedCollection<Position, E> permits StateList, StateDeque {
  final Elements<E> elements;

  StateSequence(Elements<E> elements) {
    this.elements = elements;
  }

  @Override
  public final VersionedState state() {
    return elements.state();
  }

  @Override
  public final KeyedObject<Position, E> object() {
    return elements.object();
  }

  @Override
  public final boolean isPart() {
    return elements.isPart();
  }

  @Override
  public final int size() {
    return elements.view().size();
  }

  @Override
  public final boolean contains(@Nullable Object candidate) {
    return elements.view().indexOf(candidate) >= 0;
  }

  @Override
  public final boolean remove(@Nullable Object candidate) {
    return elements.write((action, view) -> removeAt(action, view, view.indexOf(candidate)));
  }

  @Override
  public final boolean removeIf(Predicate<? super E> condition) {
    Objects.requireNonNull(condition);
    return elements.removeSlots(slot -> condition.test(elements.out(slot)));
  }

  @Override
  public final boolean removeAll(Collection<?> doomed) {
    Queries<E> queries = Queries.of(object().values, doomed);
    return elements.removeSlots(slot -> object().isOneOf(queries, slot));
  }

  @Override
  public final boolean retainAll(Collection<?> kept) {
    Queries<E> queries = Queries.of(object().values, kept);
    return elements.removeSlots(slot -> object().isNoneOf(queries, slot));
  }

  @Override
  public final void clear() {
    elements.clear();
  }

  @Override
  public final Iterator<E> iterator() {
    return elements.view().iterator();
  }

  @Override
  public final Spliterator<E> spliterator() {
    return elements.spliterator();
  }

  @Override
  public final Object[] toArray() {
    return elements.view().toArray();
  }

  /** Removes the element at an index of a view; nothing at one below 0. */
  final boolean removeAt(VersionedAction action, View<E> view, int index) {
    if (index < 0) {
      return false;
    }
    elements.remove(action, view, index);
    return true;
  }
}
