package dev.tempest.spring;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A browser: it keeps cookies, whichever instance they came from. */
final class Client {
  private final HttpClient http =
      HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

  HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
    return send(port, path, "GET");
  }

  HttpResponse<String> put(int port, String path) throws IOException, InterruptedException {
    return send(port, path, "PUT");
  }

  private HttpResponse<String> send(int port, String path, String method)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
