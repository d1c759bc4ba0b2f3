package dev.tempest.examples.balancer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** What a client gets. */
final class Answer {
  private static final int NO_BODY = -1;

  private final int status;
  private final Map<String, List<String>> headers;
  private final byte[] body;

  private Answer(int status, Map<String, List<String>> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  static Answer of(int status, String text) {
    return new Answer(status, Map.of(), (text + "\n").getBytes(UTF_8));
  }

  static Answer of(HttpResponse<byte[]> response) {
    return new Answer(response.statusCode(), response.headers().map(), response.body());
  }

  /**
   * The instance asks for another try. It may have done what it was asked for: as where too few
   * others have what it has saved.
   */
  boolean asksToTryAgain() {
    return status == 503 && headers.keySet().stream().anyMatch("Retry-After"::equalsIgnoreCase);
  }

  void sendTo(HttpExchange exchange) throws IOException {
    headers.forEach((name, values) -> {
      if (ConnectionHeaders.isPassedOn(name)) {
        exchange.getResponseHeaders().put(name, values);
      }
    });
    exchange.sendResponseHeaders(status, body.length == 0 ? NO_BODY : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }
}
