package dev.tempest.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators are told of what callers got. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CountedTest {
  private static final String CHUNKED =
      String.join(
          "\r\n",
          "POST /services/shop/add HTTP/1.1",
          "Host: a",
          "Content-Type: application/json",
          "Transfer-Encoding: chunked",
          "",
          "");

  private static final HttpLimits LIMITS = new HttpLimits(1 << 20, 1, Duration.ofSeconds(2));

  private Node node;
  private HttpServer server;
  private Caller caller;

  @BeforeEach
  void start() {
    node = Shops.join("counted-test");
    server = HttpServer.builder(node).limits(LIMITS).listenAnywhere().startWithoutServices();
    caller = new Caller(server.url());
  }

  @AfterEach
  void stop() {
    caller.close();
    server.close();
    node.close();
  }

  @Test
  void answersAreCountedByStatus() {
    caller.get("/services");
    server.openServices();
    caller.get("/services");
    caller.get("/nothing");
    caller.post("/services/shop/add", "x");
    caller.post("/services/shop/add", " ".repeat(LIMITS.bodyMaxBytes() + 1));
    caller.post("/services/shop/clear", "", "Idempotency-Key", "one");
    caller.post("/services/shop/add", "[\"tea\",1]", "Idempotency-Key", "one");

    assertThatIsCounted(
        Map.of("503", 1L, "200", 1L, "404", 1L, "400", 1L, "413", 1L, "204", 1L, "422", 1L));
  }

  /** No servlet hears of it. */
  @Test
  void whatIsNoHttpIsCounted() throws IOException {
    server.openServices();
    for (String request :
        new String[] {
          "NONSENSE\r\n\r\n",
          "GET /services HTTP/1.1\r\nHost: a\r\nLong: " + "a".repeat(60_000) + "\r\n\r\n",
          "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /services HTTP/1.1\r\n\r\n",
          CHUNKED + "zz\r\n",
        }) {
      assertThat(answer(request)).startsWith("HTTP/1.1 400");
    }
    assertThatIsCounted(Map.of("400", 5L));
  }

  @Test
  void whoSendsTooSlowlyIsCounted() throws IOException {
    server.openServices();
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(ascii(CHUNKED + "1\r\n[\r\n"));
      socket.setSoTimeout(20);
      boolean isAnswered = false;
      while (!isAnswered) {
        try {
          isAnswered = socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException silent) {
          out.write(ascii("1\r\n \r\n"));
        }
      }
    }
    assertThatIsCounted(Map.of("408", 1L));
  }

  @Test
  void whoTakesAResponseTooSlowlyIsCounted() throws IOException {
    server.openServices();
    try (Socket socket = connect()) {
      socket.setReceiveBufferSize(1_024);
      String head = "POST /services/shop/big HTTP/1.1\r\nHost: a\r\nContent-Type: application/json";
      socket.getOutputStream().write(ascii(head + "\r\nContent-Length: 9\r\n\r\n[8000000]"));
      assertThatIsCounted(Map.of("too-slow", 1L));
    }
  }

  @Test
  void connectionsThatAreNotKeptAreCounted() throws IOException {
    server.openServices();
    Socket[] idle = new Socket[LIMITS.connectionsKept()];
    try {
      for (int i = 0; i < idle.length; i++) {
        idle[i] = connect();
      }
      caller.get("/services");
      assertThatIsCounted(Map.of("200", 1L, "not-kept", 1L));
    } finally {
      for (Socket each : idle) {
        each.close();
      }
    }
  }

  @Test
  void whoIsClosedIsToldOfNoMore() {
    assertThat(node.monitor().counts()).containsKey("http");
    server.close();
    assertThat(node.monitor().counts()).doesNotContainKey("http");
  }

  /** A response may arrive before it is counted; all that is not expected is zero. */
  private void assertThatIsCounted(Map<String, Long> expected) {
    while (!counted().equals(expected)
        && counted().values().stream().mapToLong(Long::longValue).sum()
            < expected.values().stream().mapToLong(Long::longValue).sum()) {
      Thread.onSpinWait();
    }
    assertThat(counted()).isEqualTo(expected);
    assertThat(node.monitor().counts().get("http")).containsEntry("410", 0L);
  }

  private Map<String, Long> counted() {
    Map<String, Long> counts = new HashMap<>(node.monitor().counts().get("http"));
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  private String answer(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(ascii(request));
      byte[] start = socket.getInputStream().readNBytes(12);
      return new String(start, StandardCharsets.US_ASCII);
    }
  }

  private Socket connect() throws IOException {
    URI place = URI.create(server.url());
    return new Socket(place.getHost(), place.getPort());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
