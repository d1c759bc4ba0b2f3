package dev.tempest.sessions.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tomcats that have one jar of ours, and a line in {@code context.xml}. {@code mvn verify} runs it,
 * since the jar is made after the other tests.
 */
@Tag("one-jar")
@Timeout(120)
final class OneJarTest {
  private static final Path JAR = Path.of(System.getProperty("jar", "none"));

  /** A Tomcat with an application that counts; ends with its input. */
  static final class Program {
    private Program() {}

    private static final class Counter extends HttpServlet {
      private static final long serialVersionUID = 1L;

      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response)
          throws IOException {
        HttpSession session = request.getSession();
        int count = session.getAttribute("count") instanceof Integer before ? before + 1 : 1;
        session.setAttribute("count", count);
        response.getWriter().print(count);
      }
    }

    /** Says its port. */
    public static void main(String[] folder) throws Exception {
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(folder[0]);
      tomcat.setPort(0);
      tomcat.setAddDefaultWebXmlToWebapp(false);
      tomcat.getConnector().setProperty("address", "127.0.0.1");
      Context context = tomcat.addWebapp("/shop", folder[1]);
      ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false);
      context.addLifecycleListener(event -> {
        if (event.getType().equals(Lifecycle.CONFIGURE_START_EVENT)) {
          Tomcat.addServlet(context, "counter", new Counter()).addMapping("/*");
          Tomcat.addServlet(context, "tempest", "dev.tempest.operations.OperationsServlet")
              .addMapping("/tempest/*");
        }
      });
      tomcat.start();
      System.out.println(tomcat.getConnector().getLocalPort());
      while (System.in.read() >= 0) {} // Until the test ends.
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private static Path placeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Beside ours only Tomcat's, and the application. */
  private static Process start(Path folder, Path application) throws Exception {
    List<String> classPath = new ArrayList<>();
    classPath.add(JAR.toString());
    classPath.add(placeOf(Program.class).toString());
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(each -> Path.of(each).getFileName().toString().startsWith("tomcat-"))
        .forEach(classPath::add);
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            String.join(File.pathSeparator, classPath),
            Program.class.getName(),
            folder.toString(),
            application.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void isAllThatTomcatsNeedToShareSessions(@TempDir Path folder) throws Exception {
    Path application = Files.createDirectories(folder.resolve("app"));
    Files.writeString(
        Files.createDirectories(application.resolve("META-INF")).resolve("context.xml"),
        """
        <Context>
          <Manager className="dev.tempest.sessions.tomcat.TempestManager" config="tempest.yaml"
              seenWithinMillis="30000"/>
        </Context>
        """);
    List<Process> tomcats = new ArrayList<>();
    try {
      for (String name : List.of("one", "two")) {
        Path base = Files.createDirectories(folder.resolve(name));
        Files.writeString(
            base.resolve("tempest.yaml"),
            "cluster: one-jar-%d\nlisten: 127.0.0.1\n".formatted(ProcessHandle.current().pid()));
        tomcats.add(start(base, application));
      }
      HttpClient browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
      List<String> ports = new ArrayList<>();
      for (Process each : tomcats) {
        BufferedReader output = each.inputReader();
        ports.add(Objects.requireNonNull(output.readLine(), "it has ended"));
      }
      for (int request = 1; request <= 4; request++) {
        URI uri = URI.create("http://127.0.0.1:" + ports.get(request % 2) + "/shop/");
        String counted =
            browser.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        assertThat(counted).isEqualTo(String.valueOf(request));
      }
      URI metrics = URI.create("http://127.0.0.1:" + ports.getFirst() + "/shop/tempest/metrics");
      assertThat(
              browser.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body())
          .contains("tempest_sessions_total{kind=\"created\"}");
    } finally {
      tomcats.forEach(Process::destroy);
    }
  }

  @Test
  void hasTheLicencesOfWhatIsInIt() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> names = jar.stream().map(each -> each.getName()).toList();
      assertThat(names)
          .contains("META-INF/LICENSE", "META-INF/NOTICE-tempest", "META-INF/licenses/asm.txt")
          .contains("META-INF/NOTICE") // Micrometer's.
          .contains("META-INF/LICENSE.txt") // HdrHistogram's.
          .doesNotContain("module-info.class")
          .filteredOn(each -> each.endsWith(".class"))
          .allMatch(
              each -> each.matches("(META-INF/versions/[0-9]+/)?(dev/tempest|org/jspecify)/.*"));
    }
  }
}
