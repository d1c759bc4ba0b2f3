package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueFormat;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes do not say which format wrote them: so there is one for each class. */
class FormatsTest {
  /** A class that is neither built in nor a record. */
  public static final class Plain {}

  /** Writes nothing of everything. */
  public static class Brief implements ValueFormat {
    @Override
    public boolean supports(Class<?> declared) {
      return declared.getSimpleName().equals("Plain");
    }

    @Override
    public byte[] encode(Class<?> declared, Object value) {
      return new byte[0];
    }

    @Override
    public Object decode(Class<?> declared, byte[] bytes) {
      throw new IllegalStateException("not read here");
    }

    @Override
    public Object copy(Class<?> declared, Object value) {
      return value;
    }
  }

  /** As brief. */
  public static final class Terse extends Brief {}

  /** An application of its own, with these formats. */
  private static final class Application extends ClassLoader {
    private final URL formats;

    Application(URL formats) {
      super(FormatsTest.class.getClassLoader());
      this.formats = formats;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> known = findLoadedClass(name);
      if (known != null || !name.startsWith(FormatsTest.class.getName())) {
        return known == null ? super.loadClass(name, resolve) : known;
      }
      String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
      try (InputStream code = Objects.requireNonNull(FormatsTest.class.getResourceAsStream(file))) {
        byte[] bytes = code.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }

    @Override
    public Enumeration<URL> getResources(@Nullable String name) throws IOException {
      return ("META-INF/services/" + ValueFormat.class.getName()).equals(name)
          ? Collections.enumeration(List.of(formats))
          : super.getResources(name);
    }
  }

  @Test
  void twoFormatsForOneClassAreRefused(@TempDir Path directory) throws Exception {
    Path services = directory.resolve("services");
    Files.write(services, List.of(Brief.class.getName()));
    ClassLoader one = new Application(services.toUri().toURL());
    Class<?> plain = Class.forName(Plain.class.getName(), true, one);
    assertThat(ValueType.of(plain).declared()).isEqualTo(plain);

    Files.write(services, List.of(Brief.class.getName(), Terse.class.getName()));
    ClassLoader both = new Application(services.toUri().toURL());
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> ValueType.of(Class.forName(Plain.class.getName(), true, both)))
        .withMessageContaining(Brief.class.getName())
        .withMessageContaining(Terse.class.getName());
  }
}
