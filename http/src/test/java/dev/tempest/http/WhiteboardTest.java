package dev.tempest.http;

import static dev.tempest.http.HttpServerTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.NodeConfig;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WhiteboardTest {
  @Test
  void whatIsWipedStaysSo() {
    try (Node node = Shops.join("whiteboard-test")) {
      Map<String, Place> places = node.map(Whiteboard.COLLECTION, String.class, Place.class);
      Whiteboard whiteboard = new Whiteboard(node);
      whiteboard.write(new Place("", List.of("shop"), 1));
      assertThat(places).hasSize(1);

      whiteboard.wipe();
      whiteboard.write(new Place("", List.of("shop"), 2));

      assertThat(places).isEmpty();
    }
  }

  /** Who has no other server to keep what is noted down refuses keys, but lives and ends. */
  @Test
  void whatOthersDoNotConfirmDoesNoHarm() {
    NodeConfig.Builder config =
        Shops.config("whiteboard-acks-test")
            .deadline(Duration.ofMillis(20))
            .collection("http-*", CollectionConfig.builder().acks(2).build());
    try (Node node = Shops.join(config);
        HttpServer server = HttpServer.builder(node).listenAnywhere().start();
        Caller caller = new Caller(server.url())) {
      String add = "/services/shop/add";
      assertProblem(
          caller.post(add, "[\"tea\", 1]", Headers.KEY, "a"), 503, "could not be noted down");
      HttpResponse<String> again = caller.post(add, "[\"tea\", 1]", Headers.KEY, "a");
      while (again.statusCode() == 503) { // Until the key is noted down here.
        again = caller.post(add, "[\"tea\", 1]", Headers.KEY, "a");
      }
      assertThat(again.body()).isEqualTo("1");
      assertThat(caller.get("/services/nothing/count").statusCode()).isEqualTo(404);
    }
  }
}
