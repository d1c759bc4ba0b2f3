package dev.tempest.examples.balancer;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a client asks, whole: it can be sent again. */
record Request(String method, URI target, Map<String, List<String>> headers, BodyPublisher body) {
  /** Longer than an instance waits for what too few others have: that is 10 s. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** By HTTP, to do these twice is to do them once. */
  private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS");

  boolean mayBeRepeated() {
    return IDEMPOTENT.contains(method);
  }

  HttpRequest to(int port) {
    String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    URI uri = URI.create("http://127.0.0.1:" + port + target.getRawPath() + query);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).timeout(PATIENCE).method(method, body);
    headers.forEach((name, values) -> {
      if (ConnectionHeaders.isPassedOn(name)) {
        values.forEach(value -> request.header(name, value));
      }
    });
    return request.build();
  }
}
