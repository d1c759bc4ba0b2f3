package dev.tempest.state.versioned;

import java.util.Comparator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Goes over what the caller sees when it is first asked for something, which does not change any
 * more: so its size is known.
 */
final class LateSpliterator<T> implements Spliterator<T> {
  private final Supplier<Spliterator<T>> source;
  private final int characteristics;
  private @Nullable Spliterator<T> bound;

  /**
   * Over what is to come.
   *
   * @param others what it has besides being SIZED, SUBSIZED and NONNULL
   */
  LateSpliterator(Supplier<Spliterator<T>> source, int others) {
    this.source = source;
    this.characteristics = Spliterator.SIZED | Spliterator.SUBSIZED | Spliterator.NONNULL | others;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    return bound().tryAdvance(action);
  }

  @Override
  public void forEachRemaining(Consumer<? super T> action) {
    bound().forEachRemaining(action);
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    return bound().trySplit();
  }

  @Override
  public long estimateSize() {
    return bound().estimateSize();
  }

  @Override
  public int characteristics() {
    return characteristics;
  }

  @Override
  public @Nullable Comparator<? super T> getComparator() {
    throw new IllegalStateException("these elements are not sorted");
  }

  private Spliterator<T> bound() {
    Spliterator<T> known = bound;
    if (known == null) {
      known = source.get();
      bound = known;
    }
    return known;
  }
}
