package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the documentation says of {@code web.xml} and {@code context.xml} shows operators a node.
 */
@Timeout(120)
final class WebXmlTest {
  private static final List<String> APPLICATIONS = List.of("managed", "filtered", "bare");

  @Test
  void operatorsSeeTheNodeOfSessions(@TempDir Path folder) throws Exception {
    String operators = block("docs/how-to/observability.md", "<servlet>");
    write(folder, "managed", operators);
    Files.writeString(
        Files.createDirectories(folder.resolve("managed/META-INF")).resolve("context.xml"),
        "<Context>%s</Context>".formatted(block("docs/how-to/sessions-tomcat.md", "<Manager")));
    write(folder, "filtered", block("docs/how-to/sessions.md", "<filter>") + operators);
    write(folder, "bare", operators);

    Process tomcat =
        DocPage.start(WebXmlTest.class.getName(), folder, "web-xml-" + folder.getFileName());
    String told = new String(tomcat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    String[] answers = told.split("==== ");
    assertThat(answers).as(told).hasSize(APPLICATIONS.size() + 1);
    for (String answer : Arrays.copyOfRange(answers, 1, APPLICATIONS.size())) {
      assertThat(answer)
          .contains("200", "tempest_ready 1.0", "tempest_sessions_total{kind=\"created\"} 0.0");
    }
    assertThat(answers[APPLICATIONS.size()])
        .startsWith("bare 500")
        .contains("the attribute dev.tempest.admin.NodeMonitor of the servlet context");
  }

  private static String block(String page, String start) {
    return DocPage.of(page).blocks("xml").stream()
        .filter(block -> block.startsWith(start))
        .findFirst()
        .orElseThrow();
  }

  private static void write(Path folder, String application, String content) throws IOException {
    Path inside = Files.createDirectories(folder.resolve(application).resolve("WEB-INF"));
    Files.writeString(
        inside.resolve("web.xml"),
        """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
        %s
        </web-app>
        """
            .formatted(content));
  }

  /** A Tomcat with these applications, in the working directory: says what each tells operators. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of("").toAbsolutePath();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.setAddDefaultWebXmlToWebapp(false);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    for (String each : APPLICATIONS) {
      Context context = tomcat.addWebapp("/" + each, folder.resolve(each).toString());
      ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false); // Of the tests.
    }
    tomcat.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String each : APPLICATIONS) {
        URI metrics =
            URI.create(
                "http://127.0.0.1:%d/%s/tempest/metrics"
                    .formatted(tomcat.getConnector().getLocalPort(), each));
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString());
        System.out.println("==== " + each + " " + answer.statusCode() + "\n" + answer.body());
      }
    }
    tomcat.stop();
    tomcat.destroy();
  }
}
