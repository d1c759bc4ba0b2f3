package dev.tempest.sessions;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/** Java's own. */
final class JavaSerialization implements AttributeCodec {
  static final JavaSerialization INSTANCE = new JavaSerialization();

  private JavaSerialization() {}

  @Override
  public byte[] encode(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException failed) {
      throw new IllegalArgumentException(
          value.getClass().getName() + " cannot be kept in a session: " + failed, failed);
    }
    return bytes.toByteArray();
  }

  @Override
  public Object decode(byte[] bytes) throws UnreadableAttributeException {
    try (ObjectInputStream in = new OfCaller(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError failed) {
      throw new UnreadableAttributeException("cannot be read here: " + failed, failed);
    }
  }

  /** Finds what the application has, whichever loader has loaded this class. */
  private static final class OfCaller extends ObjectInputStream {
    OfCaller(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException unknown) {
        return super.resolveClass(description); // Primitive types, and what only this loader has.
      }
    }
  }
}
