package dev.tempest.values.encoding;

import dev.tempest.values.ValueFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The generic classes of the JDK that hold values. */
final class Containers {
  static final List<Class<?>> ALL = List.of(Optional.class, List.class, Set.class, Map.class);

  /** Memory for more elements than that is taken as they come: a count says nothing. */
  static final int TRUSTED_COUNT = 8;

  /** Up to so many elements, comparing each is no slower than a table of their hashes. */
  static final int SEARCHED_MAX = 8;

  private static final int ELEMENT_BYTES = 8;

  private Containers() {}

  /** The encoding of a container of what {@code arguments} encode. */
  @SuppressWarnings("unchecked") // Elements are handled as Objects, and checked on their way in.
  static Encoding<?> of(Class<?> declared, List<Encoding<?>> arguments) {
    Encoding<Object> first = (Encoding<Object>) arguments.get(0);
    if (declared == Optional.class) {
      return new OptionalEncoding(first);
    }
    if (declared == List.class) {
      return new ListEncoding(first);
    }
    return declared == Set.class
        ? new SetEncoding(first)
        : new MapEncoding(first, (Encoding<Object>) arguments.get(1));
  }

  /** {@code element}; refuses null, and what a raw type let in. */
  static Object check(Encoding<Object> encoding, @Nullable Object element, Class<?> container) {
    if (element == null) {
      throw new NullPointerException(
          "null within a %s: values cannot hold null, use an Optional or leave it out"
              .formatted(container.getSimpleName()));
    }
    if (!encoding.isInstance(element)) {
      throw new ClassCastException(
          "found a %s in a %s of %s"
              .formatted(
                  element.getClass().getName(),
                  container.getSimpleName(),
                  encoding.declared().getTypeName()));
    }
    return element;
  }

  /** {@link Encoding#mostBytes} of all elements and their number. */
  static long mostBytes(
      Encoding<Object> encoding, Iterable<?> elements, Class<?> container, int depth) {
    if (depth >= ValueFormat.NESTING_MAX) {
      return Encoding.LARGE_BYTES;
    }
    long bytes = Encoding.NUMBER_BYTES;
    for (Object element : elements) {
      bytes += encoding.mostBytes(check(encoding, element, container), depth + 1);
      if (bytes >= Encoding.LARGE_BYTES) {
        break;
      }
    }
    return bytes;
  }

  /** Checks and copies the elements in place; returns whether none will need it again. */
  static boolean freeze(
      Encoding<Object> encoding, @Nullable Object[] elements, Class<?> container, int depth) {
    boolean isImmutable = true;
    for (int i = 0; i < elements.length; i++) {
      Object copy = encoding.copy(check(encoding, elements[i], container), depth + 1);
      elements[i] = copy;
      isImmutable &= !encoding.needsCopy(copy);
    }
    return isImmutable;
  }

  /** Reads elements up to the end, after their number. */
  static Object[] read(Encoding<Object> encoding, ByteReader reader, int depth) {
    int count = reader.readCount(1);
    Object[] elements = new Object[Math.min(count, TRUSTED_COUNT)];
    for (int i = 0; i < count; i++) {
      if (i == elements.length) {
        elements = Arrays.copyOf(elements, Math.min(count, 2 * i));
      }
      reader.takeMemory(ELEMENT_BYTES);
      elements[i] = encoding.readContents(reader, depth + 1);
    }
    return elements;
  }

  /** Whether there is nothing left to copy in elements that were read or copied. */
  static boolean isImmutable(Encoding<Object> encoding, Object[] elements) {
    for (Object element : elements) {
      if (encoding.needsCopy(element)) {
        return false;
      }
    }
    return true;
  }
}
