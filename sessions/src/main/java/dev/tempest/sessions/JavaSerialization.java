package dev.tempest.sessions;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/** Java's own, with the classes of an application; less for simple values. */
record JavaSerialization(ClassLoader loader) implements AttributeCodec {
  @Override
  public byte[] encode(Object value) {
    byte[] simple = Simple.encode(value);
    if (simple != null) {
      return simple;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (Throwable thrown) {
      Throwable failed = OfValue.failure(thrown);
      throw OfValue.unkept(value, why(value, failed), failed);
    }
    return bytes.toByteArray();
  }

  private static String why(Object value, Throwable failed) {
    if (!(failed instanceof NotSerializableException)) {
      return failed.toString();
    }
    String named = String.valueOf(failed.getMessage());
    return "%s does not implement java.io.Serializable. Let it do so, or choose another codec"
        .formatted(named.equals(value.getClass().getName()) ? "it" : named);
  }

  @Override
  public Object decode(byte[] bytes) throws UnreadableAttributeException {
    Object simple = Simple.decode(bytes);
    if (simple != null) {
      return simple;
    }
    try (ObjectInputStream in = new OfApplication(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    } catch (Throwable thrown) {
      throw OfValue.unreadable(thrown);
    }
  }

  /** Finds what the application has, whichever loader has loaded this class. */
  private final class OfApplication extends ObjectInputStream {
    OfApplication(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException unknown) {
        return super.resolveClass(description); // Primitive types, and what only this loader has.
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      Class<?>[] found = new Class<?>[interfaces.length];
      for (int i = 0; i < found.length; i++) {
        found[i] = Class.forName(interfaces[i], false, loader);
      }
      try {
        return java.lang.reflect.Proxy.newProxyInstance(
                loader, found, (proxy, method, args) -> null)
            .getClass();
      } catch (IllegalArgumentException notSeen) {
        throw new ClassNotFoundException("a proxy of " + String.join(", ", interfaces), notSeen);
      }
    }
  }
}
