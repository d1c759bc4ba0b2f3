package dev.tempest.sessions.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.OverloadedException;
import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Tomcat whose linearizable sessions cannot be read, once a majority is lost. */
@Timeout(60)
final class UnreadableTest {
  private static final List<Consumer<HttpSession>> USES =
      List.of(
          session -> session.getAttribute("user"),
          session -> session.setAttribute("user", "bob"),
          HttpSession::getAttributeNames,
          HttpSession::getMaxInactiveInterval);

  /** The other member: without it there is no majority, unless it has said goodbye. */
  static final class Other {
    private Other() {}

    public static void main(String[] members) throws IOException {
      join(members[1], members);
      System.in.read(); // Until it is killed, or the test has ended.
    }
  }

  private static Node join(String own, String... members) {
    return Tempest.join(
        NodeConfig.builder()
            .cluster("unreadable")
            .listen(own)
            .members(members)
            .multicastPort(0)
            .deadline(Duration.ofMillis(500))
            .collection(
                "*", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build())
            .build());
  }

  private static String freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  private static Process startOther(String... members) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(Other.class.getName());
    command.addAll(List.of(members));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static Tomcat start(Path folder, Node node, Actions actions) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("/shop", folder.toString());
    context.setManager(new TempestManager(node));
    Tomcat.addServlet(context, "application", actions).addMapping("/*");
    tomcat.start();
    return tomcat;
  }

  /** As frameworks pass it on. */
  private static String wrapping(HttpSession session, Consumer<HttpSession> use)
      throws ServletException {
    try {
      use.accept(session);
    } catch (OverloadedException failed) {
      throw new ServletException(new IllegalStateException(failed));
    }
    return "used";
  }

  @Test
  void whatCannotBeReadIsToBeTriedAgainHoweverTheApplicationPassesItOn(@TempDir Path folder)
      throws Exception {
    String[] members = {freeAddress(), freeAddress()};
    Process other = startOther(members);
    try (Node node = join(members[0], members)) {
      Actions actions = new Actions();
      Tomcat tomcat = start(folder, node, actions);
      try {
        int port = tomcat.getConnector().getLocalPort();
        CompletableFuture<HttpSession> session = new CompletableFuture<>();
        actions.ask(
            port,
            new Browser(),
            "/shop/",
            (request, ignored) -> session.complete(request.getSession()));
        other.destroyForcibly().waitFor();
        for (Consumer<HttpSession> use : USES) {
          HttpResponse<String> response =
              actions.ask(
                  port,
                  new Browser(),
                  "/shop/",
                  (request, ignored) -> wrapping(session.join(), use));
          assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
        }
      } finally {
        tomcat.stop();
        tomcat.destroy();
      }
    } finally {
      other.destroyForcibly();
    }
  }
}
