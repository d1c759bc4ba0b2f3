package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An application with a Tempest of its own is redeployed: nothing may keep its class loader. */
class ClassLoadersTest {
  @Test
  void noClassOfTheJdkKeepsWhoeverAskedForItsType() throws Exception {
    WeakReference<ClassLoader> loader = new WeakReference<>(used());
    for (int i = 0; i < 100 && loader.get() != null; i++) {
      System.gc();
    }
    assertThat(loader.get()).isNull();
  }

  private static ClassLoader used() throws Exception {
    URL code = ValueType.class.getProtectionDomain().getCodeSource().getLocation();
    URLClassLoader loader =
        new URLClassLoader(new URL[] {code}, ClassLoader.getPlatformClassLoader());
    Class<?> types = Class.forName(ValueType.class.getName(), true, loader);
    assertThat(types).isNotEqualTo(ValueType.class);
    types.getMethod("of", Class.class).invoke(null, String.class);
    Object any =
        types
            .getMethod("any", Class.class, Class[].class)
            .invoke(null, Object.class, new Class<?>[] {Thread.State.class});
    types.getMethod("hash", Object.class).invoke(any, List.of("text", 1, Thread.State.NEW));
    return loader;
  }
}
