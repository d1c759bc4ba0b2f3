package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Iterates over a range of a version; {@code remove} writes to what the version came from. */
final class RangeIterator<K, T> implements Iterator<T> {
  private final TreeCursor<K, Object> cursor;
  private final Function<TreeNode<K, Object>, T> out;
  private final Consumer<K> removal;
  private @Nullable K last;

  RangeIterator(
      TreeCursor<K, Object> cursor, Function<TreeNode<K, Object>, T> out, Consumer<K> removal) {
    this.cursor = cursor;
    this.out = out;
    this.removal = removal;
  }

  @Override
  public boolean hasNext() {
    return cursor.left() > 0;
  }

  @Override
  public T next() {
    if (!cursor.advance()) {
      throw new NoSuchElementException();
    }
    TreeNode<K, Object> node = cursor.node();
    last = node.key;
    return out.apply(node);
  }

  @Override
  public void remove() {
    K removed = last;
    if (removed == null) {
      throw new IllegalStateException("there is no entry to remove: call next() first");
    }
    last = null;
    removal.accept(removed);
  }
}
