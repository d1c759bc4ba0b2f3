package dev.tempest.values.encoding;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;

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
    private final Set<Object> elements;
    private final boolean isImmutable;

    Frozen(SetEncoding by, Object[] sorted, boolean isImmutable) {
      this.by = by;
      this.elements = Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(sorted)));
      this.isImmutable = isImmutable;
    }

    @Override
    public Iterator<Object> iterator() {
      return elements.iterator();
    }

    @Override
    public Spliterator<Object> spliterator() {
      return elements.spliterator();
    }

    @Override
    public int size() {
      return elements.size();
    }

    @Override
    public boolean contains(Object element) {
      return elements.contains(element);
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
    sort(copies);
    return new Frozen(this, copies, isImmutable);
  }

  @Override
  void writeBody(Set value, ByteWriter writer, int depth) {
    checkDepth(depth);
    writer.writeVarint(value.size());
    for (Object each : sorted(value)) {
      element.writeContents(each, writer, depth + 1);
    }
  }

  @Override
  Set readBody(ByteReader reader, int depth) {
    Kind.checkDepth(depth);
    Object[] elements = Containers.read(element, reader, depth);
    sort(elements); // Written by other code, they may be in another order.
    return new Frozen(this, elements, Containers.isImmutable(element, elements));
  }

  private Object[] sorted(Set value) {
    Object[] elements = value.toArray();
    if (value instanceof Frozen frozen && frozen.by == this) {
      return elements;
    }
    for (Object each : elements) {
      Containers.check(element, each, Set.class);
    }
    sort(elements);
    return elements;
  }

  /** In one pass where they are sorted already. */
  private void sort(Object[] elements) {
    Arrays.sort(elements, element::compareContents);
  }
}
