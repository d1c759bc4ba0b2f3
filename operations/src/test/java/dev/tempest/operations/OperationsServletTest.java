package dev.tempest.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.admin.Latencies;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.runtime.FreePorts;
import dev.tempest.service.Update;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real nodes, shown by a real Tomcat. */
@Timeout(60)
final class OperationsServletTest {
  private static final NodeConfig ALONE =
      NodeConfig.builder()
          .cluster("operations-" + ProcessHandle.current().pid())
          .listen("127.0.0.1")
          .build();

  @Test
  void metricsCountWhatWasDone() throws Exception {
    try (Node node = Tempest.join(ALONE);
        Node other = Tempest.join(ALONE);
        Site site = Site.of(node)) {
      node.host("basket", Basket.class, Basket.factory());
      Basket basket = node.frontEnd().service("basket", Basket.class);
      for (int i = 0; i < 10; i++) {
        basket.add("apple", 1);
      }
      assertThat(basket.check("apple")).isEqualTo(10);
      Scrape first = metrics(site);
      Map<String, Integer> carts = node.map("carts");
      carts.putAll(Map.of("alice", 1, "bob", 2, "carol", 3));
      String entries =
          "tempest_collection_entries{collection=\"map 'carts'\",service=\"collections\"}";

      Scrape scrape = first;
      while (scrape.samples().getOrDefault(entries, 0.0)
          < 3) { // What is read is half a second old.
        scrape = metrics(site);
      }

      assertThat(scrape.of("tempest_members")).isEqualTo(2);
      assertThat(scrape.of("tempest_live")).isOne();
      assertThat(scrape.of("tempest_ready")).isOne();
      assertThat(scrape.of("tempest_service_updates_total{service=\"basket\"}")).isEqualTo(10);
      assertThat(scrape.of("tempest_service_reads_total{service=\"basket\"}")).isPositive();
      assertThat(scrape.of("tempest_network_total{kind=\"datagrams-received\"}")).isPositive();
      assertThat(scrape.of("tempest_network_total{kind=\"malformed\"}")).isZero();
      assertThat(scrape.of("tempest_loop_busy_seconds_total")).isPositive();
      assertThat(scrape.of(entries)).isEqualTo(3);
      assertThat(first.samples()).doesNotContainKey(entries);
      assertThatIsCumulative(scrape, "update", 10);
      assertThatIsCumulative(scrape, "turn", 10);
      assertThat(other.members()).hasSize(2);
    }
  }

  private static void assertThatIsCumulative(Scrape scrape, String of, int atLeast) {
    List<Double> within =
        Latencies.BOUNDS.stream()
            .map(bound -> String.valueOf(bound.toNanos() / 1e9))
            .map(le -> scrape.of(latency(of, le)))
            .toList();
    double all = scrape.of(latency(of, "+Inf"));
    assertThat(within).isSorted().allMatch(count -> count <= all);
    assertThat(all).isGreaterThanOrEqualTo(atLeast);
  }

  private static String latency(String of, String le) {
    return "tempest_latency_within_total{le=\"%s\",of=\"%s\"}".formatted(le, of);
  }

  @Test
  void meansNotReadyUntilTheStateIsThereAndOnceTheNodeLeaves() throws Exception {
    List<String> addresses = FreePorts.find(2).stream().map(port -> "127.0.0.1:" + port).toList();
    NodeConfig listed =
        ALONE.toBuilder().members(addresses.toArray(String[]::new)).multicastPort(0).build();
    Node node = Tempest.join(listed.toBuilder().listen(addresses.get(0)).build());
    try (Site site = Site.of(node)) {
      assertThat(site.get("/health/ready").statusCode()).isEqualTo(200);
      CompletableFuture<Void> hosted = CompletableFuture.runAsync(() -> host(node));
      awaitHealth(site, 503, "ledger has not its state yet"); // Nobody makes a majority with it.
      assertThat(site.get("/health/live").statusCode()).isEqualTo(200);
      try (Node other = Tempest.join(listed.toBuilder().listen(addresses.get(1)).build())) {
        host(other);
        hosted.join();
        awaitHealth(site, 200, "\"status\":\"UP\"");
        node.close();
      }
      awaitHealth(site, 503, "its event loop has ended");
      assertThat(site.get("/health/live").statusCode()).isEqualTo(503);
      assertThat(site.get("/metrics").body()).contains("tempest_live 0.0", "tempest_ready 0.0");
      assertThat(site.get("/status.json").body()).contains("\"live\":false");
    } finally {
      node.close();
    }
  }

  private static void host(Node node) {
    ServiceOptions linearizable =
        ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();
    node.host("ledger", Basket.class, Basket.factory(), linearizable);
  }

  private static void awaitHealth(Site site, int status, String body) throws Exception {
    HttpResponse<String> health = site.get("/health/ready");
    while (health.statusCode() != status || !health.body().contains(body)) { // Until the timeout.
      Thread.onSpinWait();
      health = site.get("/health/ready");
    }
  }

  @Test
  void whoIsHeldIsNotReadyAndStillAlive() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch returning = new CountDownLatch(1);
    try (Node node = Tempest.join(ALONE);
        Site site = Site.of(node)) {
      assertThat(metrics(site).of("tempest_ready")).isOne();
      node.host(
          "held",
          Holding.class,
          state -> () -> hold(called, returning),
          ServiceOptions.builder().unchecked(OperationsServletTest.class.getName()).build());
      FrontEnd frontEnd = node.frontEnd();
      var unused = frontEnd.async(frontEnd.service("held", Holding.class), Holding::hold);
      called.await();

      awaitHealth(
          site,
          503,
          "{\"status\":\"DOWN\",\"reasons\":[\"its event loop has been busy for a"
              + " second\"],\"warnings\":[]}");
      assertThat(site.get("/health/live").statusCode()).isEqualTo(200);
      Scrape held = metrics(site);
      assertThat(held.of("tempest_ready")).isZero();
      assertThat(held.of("tempest_members")).as("as it was").isOne();
      returning.countDown();
      awaitHealth(site, 200, "UP");
    } finally {
      returning.countDown();
    }
  }

  /** A service whose method waits. */
  public interface Holding {
    /** Until the test has seen enough; says how many wait for it. */
    @Update
    long hold();
  }

  private static long hold(CountDownLatch called, CountDownLatch returning) {
    called.countDown();
    try {
      returning.await();
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return returning.getCount();
  }

  private static Scrape metrics(Site site) throws Exception {
    HttpResponse<String> answer = site.get("/metrics");
    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValue("text/plain;version=0.0.4;charset=utf-8");
    return Scrape.parse(answer.body());
  }
}
