package dev.tempest.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

/** Asks a server over HTTP. */
final class Caller implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final String url;

  Caller(String url) {
    this.url = url;
  }

  HttpResponse<String> get(String path, String... headers) {
    return send(request(path, headers).GET().build());
  }

  HttpResponse<String> post(String path, String body, String... headers) {
    return send(posting(path, body, headers));
  }

  CompletableFuture<HttpResponse<String>> posted(String path, String body, String... headers) {
    return client.sendAsync(posting(path, body, headers), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest posting(String path, String body, String... headers) {
    return request(path, headers)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request;
  }

  HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
