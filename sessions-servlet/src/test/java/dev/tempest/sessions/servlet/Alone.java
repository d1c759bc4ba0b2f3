package dev.tempest.sessions.servlet;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EventListener;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One server, whose sessions two processes are to have, and no other process. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
abstract class Alone {
  private final HttpClient client = HttpClient.newHttpClient();
  Node node;
  Sessions sessions;

  /** Of the same, but nobody is waited for. */
  Sessions alone;

  @BeforeAll
  void start() {
    node =
        Tempest.join(
            NodeConfig.builder()
                .cluster(
                    "alone-%d-%s"
                        .formatted(
                            ProcessHandle.current().pid(),
                            getClass().getSimpleName().toLowerCase(Locale.ROOT)))
                .listen("127.0.0.1")
                .deadline(Duration.ofMillis(200))
                .build());
    sessions = Sessions.of(node, SessionsConfig.builder().acks(2).build());
    alone = Sessions.of(node, SessionsConfig.builder().build());
  }

  @AfterAll
  void stop() {
    alone.close();
    sessions.close();
    node.close();
  }

  final HttpResponse<String> get(FilterSuite.Server server, String query, String id)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/app?" + query))
            .header("Cookie", "SESSION=" + id)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  static FilterSuite.Server start(
      Path folder, Sessions sessions, HttpServlet servlet, EventListener... listeners)
      throws Exception {
    return TomcatTest.start(
        folder, SessionFilter.of(sessions, SessionCookie.defaults(), listeners), servlet);
  }

  final String idOf(String user) {
    Session session = alone.create();
    session.set("user", user);
    session.save();
    return session.id();
  }

  static List<HttpCookie> cookies(HttpResponse<String> response, String name) {
    return response.headers().allValues("Set-Cookie").stream()
        .map(each -> HttpCookie.parse(each).getFirst())
        .filter(each -> each.getName().equals(name))
        .toList();
  }
}
