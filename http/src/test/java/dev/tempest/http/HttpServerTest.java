package dev.tempest.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One server, as its callers see it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HttpServerTest {
  private static Node node;
  private static HttpServer server;
  private static Caller caller;

  @BeforeAll
  static void start() {
    node =
        Tempest.join(
            NodeConfig.builder()
                .cluster("http-server-test")
                .listen("127.0.0.1:17400-17499")
                .multicastPort(0)
                .loopback(false)
                .build());
    node.host("shop", Shop.class, Shop.Service::new);
    server = HttpServer.builder(node).listenAnywhere().start();
    caller = new Caller(server.url());
  }

  @AfterAll
  static void stop() {
    caller.close();
    server.close();
    node.close();
  }

  @Test
  void updatesArePostedAndReadsAreGot() {
    HttpResponse<String> added = caller.post("/services/shop/add", "{\"item\":\"tea\",\"count\":2}");

    assertThat(added.statusCode()).as(added.body()).isEqualTo(200);
    assertThat(added.body()).isEqualTo("2");
    assertThat(caller.post("/services/shop/add", "[\"tea\", 3]").body()).isEqualTo("5");
    assertThat(caller.get("/services/shop/count?item=tea").body()).isEqualTo("5");
  }

  @Test
  void printsWhatThereIs() {
    System.out.println(caller.get("/services").body());
    System.out.println(caller.get("/openapi.json").body());
    HttpResponse<String> found =
        caller.get("/services/shop/find?pair=%7B%22first%22:%22a%22,%22second%22:1%7D");
    System.out.println(found.body());
    HttpResponse<String> echo = caller.post("/services/shop/echo", "{\"order\":" + found.body() + "}");
    System.out.println(echo);
    assertThat(echo.body()).isEqualTo(found.body());
    for (String body : new String[] {"{", "", "{\"item\":1,\"count\":2}", "{\"item\":\"a\",\"count\":\"2\"}",
        "{\"item\":\"a\",\"count\":2.0}", "{\"item\":\"a\",\"count\":2.5}", "{\"item\":\"a\",\"count\":null}", "{\"item\":null,\"count\":2}",
        "{\"item\":\"a\"}", "{\"item\":\"a\",\"count\":2,\"x\":1}", "{\"item\":\"a\",\"count\":2}x", "{\"item\":\"a\",\"item\":\"a\",\"count\":2}",
        "[1]", "3", "{\"item\":\"a\",\"count\":99999999999}", "{\"item\":\"none\",\"count\":1}", "{\"item\":true,\"count\":1}"}) {
      HttpResponse<String> r = caller.post("/services/shop/add", body);
      System.out.println(body + " -> " + r.statusCode() + " " + r.body());
    }
    for (String change : new String[] {"\"at\":\"1970-01-01T00:00:00Z\"=>\"at\":0", "\"SMALL\"=>0", "\"SMALL\"=>\"S\"", "\"PT1M\"=>60", "\"AQI=\"=>\"!\"",
        "\"x\"=>\"xy\"", "\"tea\"=>null", "[\"a\"]=>[null]", "\"Card\"=>\"Visa\"", "\"@type\":\"Card\",=>", "9223372036854775807=>9223372036854775808",
        "\"letter\":\"x\",=>", "\"tags\":[\"a\"],=>", "10=>\"10\"", "\"1970-01-01\"=>\"\"", "{\"w\":1}=>{\"w\":true}", "null=>\"\"", "[\"a\"]=>\"a\""}) {
      String[] parts = change.split("=>", 2);
      assertThat(found.body()).contains(parts[0]);
      HttpResponse<String> r = caller.post("/services/shop/echo", "{\"order\":" + found.body().replace(parts[0], parts[1]) + "}");
      System.out.println(change + " -> " + r.statusCode() + " " + r.body());
    }
    System.out.println(caller.post("/services/shop/fails", "[\"so\"]").body());
    System.out.println(caller.get("/nothing").body());
    System.out.println(caller.get("/services/none/x").body());
    System.out.println(caller.get("/services/shop/x").body());
    System.out.println(caller.get("/services/shop/times(int)?number=2").body());
    System.out.println(caller.get("/services/shop/all?items=%5B%22tea%22%5D&over=0").body());
    System.out.println(caller.get("/services/shop/add").body());
    System.out.println(caller.post("/services/shop/clear", "").statusCode());
    HttpResponse<String> keyed = caller.post("/services/shop/add", "[\"k\", 3]", "Idempotency-Key", "k1");
    System.out.println(keyed + keyed.body() + keyed.headers().map());
    System.out.println(caller.post("/services/shop/add", "[\"k\", 3]", "Idempotency-Key", "k1").body());
    System.out.println(caller.post("/services/shop/add", "[\"k\", 4]", "Idempotency-Key", "k1").body());
    String handle = keyed.headers().firstValue("Tempest-Handle").orElseThrow();
    System.out.println(caller.get("/services/shop/count?item=k", "Tempest-Handle", handle).headers().map());
    System.out.println(caller.get("/services/shop/count?item=k", "Tempest-Handle", "abc").body());
  }
}
