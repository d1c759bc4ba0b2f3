package dev.tempest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.Eventually;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application that has closed its node is redeployed: nothing keeps its class loader. */
@Timeout(120)
final class ClassLoadersTest {
  /** The application: loaded once more, with a Tempest of its own. */
  static final class Application implements Callable<Integer> {
    /** What it keeps. */
    record Cart(String customer, int items) {}

    @Override
    public Integer call() throws Exception {
      try (JoinedNodes nodes = new JoinedNodes()) {
        Node node = nodes.join();
        Map<String, Cart> carts = node.map("carts", String.class, Cart.class);
        List<Cart> list = node.list("list", Cart.class);
        Registration listening = node.listen(carts, (key, before, after) -> list.add(after));
        carts.put("ada", new Cart("ada", 3));
        Eventually.eventually("the listener hears", () -> list.size() == 1);
        listening.close();
        node.host("board", Board.class, BoardService::new);
        node.frontEnd().service(Board.class).add("a", 1);
        return carts.size();
      }
    }
  }

  /** In a process that clears soft references at once: the JDK keeps handles of records by them. */
  @Test
  void aClosedNodeKeepsNoClass() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:SoftRefLRUPolicyMSPerMB=0",
                "-cp",
                classPath(),
                ClassLoadersTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  /** Ends normally once the class loader is collected. */
  public static void main(String[] args) throws Exception {
    WeakReference<ClassLoader> loader = new WeakReference<>(used());
    Eventually.eventually(
        "its class loader is collected",
        () -> {
          System.gc();
          return loader.get() == null;
        });
  }

  private static ClassLoader used() throws Exception {
    URLClassLoader loader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader());
    Class<?> application = Class.forName(Application.class.getName(), true, loader);
    assertThat(application).isNotEqualTo(Application.class);
    var constructor = application.getDeclaredConstructor();
    constructor.setAccessible(true);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      assertThat(((Callable<?>) constructor.newInstance()).call()).isEqualTo(1);
    } finally {
      thread.setContextClassLoader(before);
    }
    return loader;
  }

  private static URL[] urls() throws MalformedURLException {
    String[] entries = classPath().split(Pattern.quote(File.pathSeparator), -1);
    URL[] urls = new URL[entries.length];
    for (int i = 0; i < entries.length; i++) {
      urls[i] = Path.of(entries[i]).toUri().toURL();
    }
    return urls;
  }

  /** Of all that the tests use, whether it is on the class path or the module path. */
  private static String classPath() {
    String modules = System.getProperty("jdk.module.path", "");
    String tests =
        Path.of(Application.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .toString();
    return String.join(File.pathSeparator, tests, modules, System.getProperty("java.class.path"));
  }
}
