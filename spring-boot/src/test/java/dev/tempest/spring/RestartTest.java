package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.spring.notes.NotesApplication;
import java.io.Closeable;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.devtools.restart.classloader.RestartClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

/**
 * Devtools loads the classes of the application anew for each restart, in the same process, and
 * leaves those of Tempest as they are.
 */
@Timeout(60)
final class RestartTest {
  /** One start of the application, with classes of its own. */
  private static final class Start implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private final ClassLoader before = thread.getContextClassLoader();
    private final RestartClassLoader loader;
    private final ConfigurableApplicationContext context;

    Start(Path folder) throws Exception {
      URL classes = NotesApplication.class.getProtectionDomain().getCodeSource().getLocation();
      loader = new RestartClassLoader(before, new URL[] {classes});
      thread.setContextClassLoader(loader);
      Class<?> application = loader.loadClass(NotesApplication.class.getName());
      assertThat(application).isNotSameAs(NotesApplication.class);
      context =
          new SpringApplicationBuilder(application)
              .web(WebApplicationType.NONE)
              .run(
                  "--tempest.cluster=restart-" + ProcessHandle.current().pid(),
                  "--tempest.listen=127.0.0.1",
                  "--tempest.checkpoint-folder=" + folder,
                  "--spring.main.banner-mode=off");
    }

    Object call(String method, Object... arguments) {
      Object board = context.getBean("board");
      assertThat(board.getClass().getClassLoader()).isSameAs(loader);
      return Objects.requireNonNull(
          ReflectionTestUtils.<Object>invokeMethod(board, method, arguments));
    }

    @Override
    public void close() throws IOException {
      context.close();
      thread.setContextClassLoader(before);
      ((Closeable) loader).close();
    }
  }

  @Test
  void valuesAndServicesComeBackWithTheNewClasses(@TempDir Path folder) throws Exception {
    try (Start first = new Start(folder)) {
      ReflectionTestUtils.invokeMethod(first.context.getBean("board"), "put", "1", "buy apples");
      assertThat(first.call("like", "1")).isEqualTo(1);
    }
    try (Start second = new Start(folder)) {
      Object note = second.call("get", "1");
      assertThat(note).hasToString("Note[text=buy apples]");
      assertThat(note.getClass().getClassLoader()).isSameAs(second.loader);
      assertThat(second.call("like", "1")).isEqualTo(2);
    }
  }
}
