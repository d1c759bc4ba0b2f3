package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.operations.NodeMetrics;
import dev.tempest.spring.shop.SlowRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two instances of an application share collections, services and sessions, and are replaced one by
 * one.
 */
@Timeout(120)
final class TwoInstancesTest {
  private static final String CLUSTER = "spring-" + ProcessHandle.current().pid();
  private static final int CLIENTS = 4;

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
  void aCollectionIsInjectedByItsTypes() throws Exception {
    body(client.put("/products/1?name=apple&cents=30", one.port()));
    while (client.get("/products/1", other.port()).body().isEmpty()) {
      Thread.onSpinWait();
    }
    assertThat(body(client.get("/products/1", other.port()))).contains("apple", "30");
  }

  @Test
  void operatorsSeeTheInstanceThatShowsItself() throws Exception {
    assertThat(body(client.get("/tempest/health/ready", one.port()))).contains("UP");
    assertThat(body(client.get("/tempest/metrics", one.port()))).contains("tempest_");
    assertThat(one.context().getBeansOfType(NodeMetrics.class)).hasSize(1);
    assertThat(client.get("/tempest/metrics", other.port()).status()).isEqualTo(404);
  }

  @Test
  void aServiceIsHostedAndCalled() throws Exception {
    assertThat(body(client.put("/stock/apple?count=3", one.port()))).isEqualTo("3");
    while (!client.put("/stock/apple?count=0", other.port()).body().equals("3")) {
      Thread.onSpinWait();
    }
  }

  /** Each request goes to the other instance at once, and depends on the one before. */
  @Test
  void aSessionGoesAlongWithItsClient() throws Exception {
    for (int i = 1; i <= 100; i++) {
      int port = i % 2 == 0 ? one.port() : other.port();
      assertThat(body(client.get("/visits", port))).isEqualTo(String.valueOf(i));
    }
  }

  @Test
  void theCookiesAreForServersOnly() throws Exception {
    assertThat(client.get("/visits", one.port()).cookies())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each).contains("HttpOnly", "SameSite=Lax", "Path=/"))
        .anySatisfy(each -> assertThat(each).startsWith("SESSION="))
        .anySatisfy(each -> assertThat(each).startsWith("SESSION_SEEN="));
    assertThat(new Client().get("/products/1", one.port()).cookies()).isEmpty();
  }

  /** Under load: no request fails, and no session is lost. */
  @Test
  void theInstancesAreReplacedOneByOne() throws Exception {
    Balancer balancer = new Balancer();
    balancer.add(one.port());
    balancer.add(other.port());
    AtomicBoolean isOver = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> visitors = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        visitors.add(threads.submit(() -> visit(balancer, isOver)));
      }
      try {
        one = replaced(one, balancer, threads);
        other = replaced(other, balancer, threads);
      } finally {
        isOver.set(true);
      }
      for (Future<Integer> each : visitors) {
        assertThat(each.get()).isGreaterThan(1);
      }
    }
  }

  /** Each answer says that nothing of the ones before is lost. */
  private static int visit(Balancer balancer, AtomicBoolean isOver) throws IOException {
    Client visitor = new Client();
    int visits = 0;
    while (!isOver.get()) {
      visits++;
      Client.Answer answer = balancer.get(visitor, "/visits");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(String.valueOf(visits));
    }
    return visits;
  }

  /** A request that is under way meanwhile is answered, and its session goes on elsewhere. */
  private Instance replaced(Instance old, Balancer balancer, ExecutorService threads)
      throws Exception {
    int port = old.port();
    Client slow = new Client();
    assertThat(body(slow.get("/visits", port))).isEqualTo("1");
    Future<Client.Answer> underWay = threads.submit(() -> slow.get("/slow", port));
    SlowRequest.BEGUN.acquire();
    balancer.takeOut(port);
    Future<?> closed = threads.submit(old::close);
    while (isOpen(port)) {
      Thread.onSpinWait();
    }
    SlowRequest.MAY_END.release();
    assertThat(body(underWay.get())).isEqualTo("2");
    closed.get();
    assertThat(body(balancer.get(slow, "/visits"))).isEqualTo("3");
    Instance next = Instance.start(CLUSTER);
    balancer.add(next.port());
    return next;
  }

  private static boolean isOpen(int port) {
    try {
      return new Client().get("/products/1", port).status() != 503;
    } catch (IOException closed) {
      return false;
    }
  }
}
