package dev.tempest.values.encoding;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import org.jspecify.annotations.Nullable;

/**
 * The number of elements and their contents, in the order of {@link Encoding#compareContents}:
 * equal sets have equal bytes, and copies iterate alike on every node.
 */
@SuppressWarnings("rawtypes") // There is no class literal of Set<Object>.
final class SetEncoding extends SizedEncoding<Set> {
  private final Encoding<Object> element;

  SetEncoding(Encoding<Object> element) {
    super(Set.class);
    this.element = element;
  }

  /** A copy made by one encoding, in its order. */
  private static final class Frozen extends AbstractSet<Object> {
    private final SetEncoding by;
    private final Object[] elements;
    private final boolean isImmutable;

    /** To look up elements in more than a few; made when somebody does. */
    private volatile @Nullable Set<Object> index;

    Frozen(SetEncoding by, Object[] elements, boolean isImmutable) {
      this.by = by;
      this.elements = elements;
      this.isImmutable = isImmutable;
    }

    @Override
    public Iterator<Object> iterator() {
      return Arrays.asList(elements).iterator();
    }

    @Override
    public Spliterator<Object> spliterator() {
      return Spliterators.spliterator(
          elements,
          Spliterator.DISTINCT | Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE);
    }

    @Override
    public int size() {
      return elements.length;
    }

    @Override
    public boolean contains(@Nullable Object element) {
      if (elements.length <= Containers.SEARCHED_MAX) {
        return Arrays.asList(elements).contains(element);
      }
      Set<Object> known = index;
      if (known == null) {
        known = new LinkedHashSet<>(Arrays.asList(elements));
        index = known;
      }
      return known.contains(element);
    }
  }

  @Override
  List<Part> parts() {
    return List.of(new Part("[]", element));
  }

  @Override
  boolean needsCopy() {
    return true;
  }

  @Override
  boolean needsCopy(Set value) {
    return !(value instanceof Frozen frozen && frozen.by == this && frozen.isImmutable);
  }

  @Override
  Set copy(Set value, int depth) {
    if (!needsCopy(value)) {
      return value;
    }
    checkDepth(depth);
    Object[] copies = value.toArray();
    boolean isImmutable = Containers.freeze(element, copies, Set.class, depth);
    return new Frozen(this, sortedOnce(copies), isImmutable);
  }

  @Override
  long mostBodyBytes(Set value, int depth) {
    return Containers.mostBytes(element, value, Set.class, depth);
  }

  @Override
  void writeBody(Set value, ByteWriter writer, int depth) {
    checkDepth(depth);
    Object[] sorted = sorted(value);
    writer.writeVarint(sorted.length);
    for (Object each : sorted) {
      element.writeContents(each, writer, depth + 1);
    }
  }

  @Override
  Set readBody(ByteReader reader, int depth) {
    Kind.checkDepth(depth);
    Object[] elements = Containers.read(element, reader, depth);
    // Written by other code, they may be in another order.
    Object[] sorted = sortedOnce(elements);
    return new Frozen(this, sorted, Containers.isImmutable(element, sorted));
  }

  private Object[] sorted(Set value) {
    if (value instanceof Frozen frozen && frozen.by == this) {
      return frozen.elements;
    }
    Object[] elements = value.toArray();
    for (Object each : elements) {
      Containers.check(element, each, Set.class);
    }
    return sortedOnce(elements);
  }

  /** Sorts, in one pass where that is done already, and keeps one of those that are the same. */
  private Object[] sortedOnce(Object[] elements) {
    Arrays.sort(elements, element::compareContents);
    int count = 0;
    for (Object each : elements) {
      if (count == 0 || element.compareContents(elements[count - 1], each) != 0) {
        elements[count] = each;
        count++;
      }
    }
    return count == elements.length ? elements : Arrays.copyOf(elements, count);
  }
}
