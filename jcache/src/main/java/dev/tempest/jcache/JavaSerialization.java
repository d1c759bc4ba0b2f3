package dev.tempest.jcache;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import javax.cache.CacheException;

/** Java's serialization, with the classes that the application has. */
final class JavaSerialization {
  private JavaSerialization() {}

  static byte[] write(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException | RuntimeException | StackOverflowError failed) {
      throw new CacheException(
          "A %s cannot be written: %s".formatted(value.getClass().getName(), failed), failed);
    }
    return bytes.toByteArray();
  }

  /** Reads with the classes that a class loader finds, or else that of the thread. */
  static Object read(byte[] bytes, ClassLoader loader) {
    try (ObjectInputStream in = new LoadingStream(new ByteArrayInputStream(bytes), loader)) {
      return in.readObject();
    } catch (IOException
        | ClassNotFoundException
        | RuntimeException
        | LinkageError
        | StackOverflowError failed) {
      throw new CacheException("Cannot be read in this process: " + failed, failed);
    }
  }

  private static final class LoadingStream extends ObjectInputStream {
    private final ClassLoader loader;

    LoadingStream(InputStream in, ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described)
        throws IOException, ClassNotFoundException {
      try {
        return find(described.getName());
      } catch (ClassNotFoundException unknown) {
        return super.resolveClass(described); // Those of primitives have no loader.
      }
    }

    @Override
    @SuppressWarnings("deprecation") // Only this finds the class of a proxy by its interfaces.
    protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
      Class<?>[] found = new Class<?>[interfaces.length];
      for (int i = 0; i < interfaces.length; i++) {
        found[i] = find(interfaces[i]);
      }
      return Proxy.getProxyClass(found[0].getClassLoader(), found);
    }

    private Class<?> find(String name) throws ClassNotFoundException {
      try {
        return Class.forName(name, false, loader);
      } catch (ClassNotFoundException unknown) {
        return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
      }
    }
  }
}
