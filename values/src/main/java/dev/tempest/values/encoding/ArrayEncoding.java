package dev.tempest.values.encoding;

import java.util.Arrays;
import java.util.List;

/** An array of anything but primitives: the number of elements and their contents. */
final class ArrayEncoding extends SizedEncoding<Object[]> {
  private final Encoding<Object> element;

  /** An array of what {@code element} encodes. */
  @SuppressWarnings("unchecked") // Elements are handled as Objects; the array itself checks them.
  ArrayEncoding(Encoding<?> element) {
    super((Class<Object[]>) element.declared().arrayType());
    this.element = (Encoding<Object>) element;
  }

  @Override
  List<Part> parts() {
    return List.of(new Part("[]", element));
  }

  @Override
  boolean isEqualByContents() {
    return false;
  }

  @Override
  boolean needsCopy() {
    return true;
  }

  @Override
  Object[] copy(Object[] value, int depth) {
    checkDepth(depth);
    Object[] copies = value.clone();
    Containers.freeze(element, copies, declared(), depth);
    return copies;
  }

  @Override
  long mostBodyBytes(Object[] value, int depth) {
    return Containers.mostBytes(element, Arrays.asList(value), declared(), depth);
  }

  @Override
  void writeBody(Object[] value, ByteWriter writer, int depth) {
    checkDepth(depth);
    writer.writeVarint(value.length);
    for (Object each : value) {
      element.writeContents(Containers.check(element, each, declared()), writer, depth + 1);
    }
  }

  @Override
  Object[] readBody(ByteReader reader, int depth) {
    Kind.checkDepth(depth);
    Object[] elements = Containers.read(element, reader, depth);
    return Arrays.copyOf(elements, elements.length, declared());
  }
}
