package dev.tempest.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A client that keeps its cookies, and asks whoever listens on a port. */
final class Browser implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .cookieHandler(new CookieManager())
          .build();
  private final int port;

  Browser(int port) {
    this.port = port;
  }

  /** What is answered; anything but success is a failed request. */
  String ask(String method, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, BodyPublishers.noBody())
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s %s: %s", method, path, response.body()).isEqualTo(200);
    return response.body();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
