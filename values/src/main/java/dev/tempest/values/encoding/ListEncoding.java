package dev.tempest.values.encoding;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** The number of elements and their contents, in the order of the list. */
@SuppressWarnings("rawtypes") // There is no class literal of List<Object>.
final class ListEncoding extends SizedEncoding<List> {
  /** The unmodifiable lists of the JDK, which {@link List#of} and {@link List#copyOf} return. */
  private static final Class<?> SMALL = List.of(0).getClass();

  private static final Class<?> LARGE = List.of(0, 0, 0).getClass();

  private final Encoding<Object> element;

  ListEncoding(Encoding<Object> element) {
    super(List.class);
    this.element = element;
  }

  /** A copy made by one encoding, which it need not look at again if it is immutable throughout. */
  private static final class Frozen extends AbstractList<Object> implements RandomAccess {
    private final ListEncoding by;
    private final Object[] elements;
    private final boolean isImmutable;

    Frozen(ListEncoding by, Object[] elements, boolean isImmutable) {
      this.by = by;
      this.elements = elements;
      this.isImmutable = isImmutable;
    }

    @Override
    public Object get(int index) {
      return elements[index];
    }

    @Override
    public int size() {
      return elements.length;
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
  boolean needsCopy(List value) {
    return !isFrozen(value) && !isUnmodifiable(value);
  }

  private boolean isFrozen(List value) {
    return value instanceof Frozen frozen && frozen.by == this && frozen.isImmutable;
  }

  private boolean isUnmodifiable(List value) {
    return !element.needsCopy() && (value.getClass() == SMALL || value.getClass() == LARGE);
  }

  @Override
  List copy(List value, int depth) {
    if (isFrozen(value)) {
      return value;
    }
    checkDepth(depth);
    if (isUnmodifiable(value)) {
      for (Object each : value) { // A record whose constructor calls List.copyOf stays as it is.
        Containers.check(element, each, List.class);
      }
      return value;
    }
    Object[] copies = value.toArray();
    boolean isImmutable = Containers.freeze(element, copies, List.class, depth);
    return new Frozen(this, copies, isImmutable);
  }

  @Override
  long mostBodyBytes(List value, int depth) {
    return Containers.mostBytes(element, value, List.class, depth);
  }

  @Override
  void writeBody(List value, ByteWriter writer, int depth) {
    checkDepth(depth);
    // Others may add to it meanwhile.
    Object[] elements = value instanceof Frozen frozen ? frozen.elements : value.toArray();
    writer.writeVarint(elements.length);
    for (Object each : elements) {
      element.writeContents(Containers.check(element, each, List.class), writer, depth + 1);
    }
  }

  @Override
  List readBody(ByteReader reader, int depth) {
    Kind.checkDepth(depth);
    Object[] elements = Containers.read(element, reader, depth);
    return new Frozen(this, elements, Containers.isImmutable(element, elements));
  }
}
