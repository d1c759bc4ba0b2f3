package dev.tempest.state.versioned;

import java.util.Comparator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the range that is there when it is first asked for something. That does not change any
 * more: its size is known, also of its parts.
 */
final class RangeSpliterator<K, T> implements Spliterator<T> {
  private static final int OF_A_VERSION =
      Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.SIZED | Spliterator.SUBSIZED;

  private final Supplier<TreeRange<K, Object>> source;
  private final Function<Cursor<K, Object>, T> out;

  /** What it has besides: DISTINCT and SORTED, or nothing. */
  private final int others;

  private final @Nullable Comparator<? super T> comparator;

  /** What is left, but for what the cursor passed; null until it is first asked for something. */
  private @Nullable TreeRange<K, Object> range;

  /** Null before the first element and after a split. */
  private @Nullable TreeCursor<K, Object> cursor;

  /**
   * Over a range that is to come.
   *
   * @param comparator if {@code others} say that it is sorted: null for the natural order
   */
  RangeSpliterator(
      Supplier<TreeRange<K, Object>> source,
      Function<Cursor<K, Object>, T> out,
      int others,
      @Nullable Comparator<? super T> comparator) {
    this.source = source;
    this.out = out;
    this.others = others;
    this.comparator = comparator;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action);
    TreeCursor<K, Object> rest = rest();
    if (!rest.advance()) {
      return false;
    }
    action.accept(out.apply(rest));
    return true;
  }

  @Override
  public void forEachRemaining(Consumer<? super T> action) {
    Objects.requireNonNull(action);
    TreeCursor<K, Object> rest = rest();
    while (rest.advance()) {
      action.accept(out.apply(rest));
    }
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    TreeRange<K, Object> left = left();
    int half = left.size() >>> 1;
    if (half == 0) {
      return null;
    }
    TreeRange<K, Object> prefix = left.first(half);
    range = left.after(half);
    cursor = null;
    return new RangeSpliterator<>(() -> prefix, out, others, comparator);
  }

  @Override
  public long estimateSize() {
    return left().size();
  }

  @Override
  public int characteristics() {
    return OF_A_VERSION | others;
  }

  @Override
  public @Nullable Comparator<? super T> getComparator() {
    if ((others & Spliterator.SORTED) == 0) {
      throw new IllegalStateException("these elements are not sorted");
    }
    return comparator;
  }

  private TreeRange<K, Object> left() {
    TreeRange<K, Object> bound = bound();
    return cursor == null ? bound : bound.after(bound.size() - cursor.left());
  }

  private TreeRange<K, Object> bound() {
    TreeRange<K, Object> bound = range;
    if (bound == null) {
      bound = source.get();
      range = bound;
    }
    return bound;
  }

  private TreeCursor<K, Object> rest() {
    TreeCursor<K, Object> rest = cursor;
    if (rest == null) {
      rest = bound().cursor();
      cursor = rest;
    }
    return rest;
  }
}
