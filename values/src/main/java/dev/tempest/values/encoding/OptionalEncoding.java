package dev.tempest.values.encoding;

import java.util.List;
import java.util.Optional;

/** Nothing, or the contents of the one value. */
@SuppressWarnings("rawtypes") // There is no class literal of Optional<Object>.
final class OptionalEncoding extends SizedEncoding<Optional> {
  private final Encoding<Object> element;

  OptionalEncoding(Encoding<Object> element) {
    super(Optional.class);
    this.element = element;
  }

  @Override
  List<Part> parts() {
    return List.of(new Part("[]", element));
  }

  @Override
  boolean needsCopy() {
    return true; // To check what it holds.
  }

  @Override
  boolean needsCopy(Optional value) {
    return value.isPresent() && element.needsCopy(value.get());
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Equal is not enough: a copy shares nothing.
  Optional copy(Optional value, int depth) {
    checkDepth(depth);
    if (value.isEmpty()) {
      return value;
    }
    Object held = Containers.check(element, value.get(), Optional.class);
    Object copy = element.copy(held, depth + 1);
    return copy == held ? value : Optional.of(copy);
  }

  @Override
  @SuppressWarnings("unchecked") // A raw Optional is one of Objects.
  long mostBodyBytes(Optional value, int depth) {
    List<Object> held = value.stream().toList();
    return Containers.mostBytes(element, held, Optional.class, depth);
  }

  @Override
  void writeBody(Optional value, ByteWriter writer, int depth) {
    checkDepth(depth);
    if (value.isPresent()) {
      Object held = Containers.check(element, value.get(), Optional.class);
      element.writeContents(held, writer, depth + 1);
    }
  }

  @Override
  Optional readBody(ByteReader reader, int depth) {
    Kind.checkDepth(depth);
    return reader.remaining() == 0
        ? Optional.empty()
        : Optional.of(element.readContents(reader, depth + 1));
  }
}
