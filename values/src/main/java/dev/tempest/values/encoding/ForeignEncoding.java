package dev.tempest.values.encoding;

import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueFormat;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** A class that a {@link ValueFormat} knows how to write: its bytes, whole. */
final class ForeignEncoding<T> extends SizedEncoding<T> {
  private final ValueFormat format;

  private ForeignEncoding(Class<T> declared, ValueFormat format) {
    super(declared);
    this.format = format;
  }

  /** The encoding of a class by a format that supports it, or null if there is none. */
  static <T> @Nullable ForeignEncoding<T> find(Class<T> declared) {
    ValueFormat format = find(declared, declared.getClassLoader());
    if (format == null) {
      format = find(declared, ValueFormat.class.getClassLoader());
    }
    return format == null ? null : new ForeignEncoding<>(declared, format);
  }

  private static @Nullable ValueFormat find(Class<?> declared, @Nullable ClassLoader loader) {
    ValueFormat found = null;
    for (ValueFormat format : ServiceLoader.load(ValueFormat.class, loader)) {
      if (format.supports(declared)) {
        if (found != null) { // Bytes do not say which one wrote them.
          throw new UnsupportedTypeException(
              "both %s and %s write a %s: keep one of them"
                  .formatted(
                      found.getClass().getName(), format.getClass().getName(), declared.getName()));
        }
        found = format;
      }
    }
    return found;
  }

  /** Its {@code equals} may compare anything; what counts is the bytes. */
  @Override
  boolean isEqualByContents() {
    return false;
  }

  @Override
  boolean needsCopy() {
    return true;
  }

  @Override
  void writeBody(T value, ByteWriter writer, int depth) {
    byte[] bytes = format.encode(declared(), value);
    writer.writeRaw(bytes, 0, bytes.length);
  }

  @Override
  T readBody(ByteReader reader, int depth) {
    byte[] bytes = reader.readRaw(reader.remaining()).toArray();
    try {
      return declared().cast(format.decode(declared(), bytes));
    } catch (Throwable refused) {
      throw new MalformedException(
          "no " + declared().getName() + ": " + UserCode.describe(refused));
    }
  }

  @Override
  T copy(T value, int depth) {
    return declared().cast(format.copy(declared(), value));
  }
}
