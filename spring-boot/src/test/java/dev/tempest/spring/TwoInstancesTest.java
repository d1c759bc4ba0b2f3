package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.operations.NodeMetrics;
import dev.tempest.spring.notes.SlowRequest;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two instances of an application, and one that stops. */
@Timeout(120)
final class TwoInstancesTest {
  private static final String CLUSTER = "spring-" + ProcessHandle.current().pid();

  private static Instance one;
  private static Instance other;
  private final Client client = new Client();

  @BeforeAll
  static void start() {
    one = Instance.start(CLUSTER, "--tempest.operations.path=/tempest");
    other = Instance.start(CLUSTER);
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
  }

  private String body(Client.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void operatorsSeeTheInstanceThatShowsItself() throws Exception {
    assertThat(body(client.get("/tempest/health/ready", one.port()))).contains("UP");
    assertThat(body(client.get("/tempest/metrics", one.port()))).contains("tempest_");
    assertThat(one.context().getBeansOfType(NodeMetrics.class)).hasSize(1);
    assertThat(client.get("/tempest/metrics", other.port()).status()).isEqualTo(404);
  }

  @Test
  void theCookiesAreForServersOnly() throws Exception {
    assertThat(client.put("/note/string", one.port()).cookies())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each).contains("HttpOnly", "SameSite=Lax", "Path=/"))
        .anySatisfy(each -> assertThat(each).startsWith("SESSION="))
        .anySatisfy(each -> assertThat(each).startsWith("SESSION_SEEN="));
    assertThat(new Client().get("/note", one.port()).cookies()).isEmpty();
  }

  /** A request whose instance is told to stop meanwhile. */
  @Test
  void whatIsUnderWayIsAnsweredAndItsSessionGoesOnElsewhere() throws Exception {
    Instance stopped = Instance.start(CLUSTER);
    int port = stopped.port();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Client.Answer> underWay = threads.submit(() -> client.get("/note/slow", port));
      SlowRequest.BEGUN.acquire();
      Future<?> closed = threads.submit(stopped::close);
      while (isOpen(port)) {
        Thread.onSpinWait();
      }
      SlowRequest.MAY_END.release();
      assertThat(body(underWay.get())).isEqualTo("set");
      closed.get();
    }
    assertThat(body(client.get("/note", other.port()))).isEqualTo("set");
  }

  private static boolean isOpen(int port) {
    try {
      return new Client().get("/note", port).status() != 503;
    } catch (IOException closed) {
      return false;
    }
  }
}
